"""Rewritings of reads on the host."""

from __future__ import annotations

import ast

import libcst as cst

from ...finding import Edit
from ..place import Place, smallest
from ..syntax import bindings, is_path, method


def detached(place: Place) -> list[Edit] | None:
    """Write `losses.append(loss.detach())` for `losses.append(loss.item())`, and the like for a running sum."""
    node, module = place.node, place.module
    parent = module.parents.get(node)
    if not isinstance(node, ast.Call) or method(node, "item") is None or not isinstance(node.func, ast.Attribute):
        return None
    base = module.text(node.func.value)
    if isinstance(parent, ast.AugAssign) and parent.value is node and isinstance(parent.op, ast.Add):
        if not is_path(parent.target):
            return None
        total, before = module.text(parent.target), module.text(parent)
        text = f"{total} = {total} + {base}.detach()"
        return None if "#" in before else [smallest(module.replaced(parent, text), before)]
    is_appended = isinstance(parent, ast.Call) and method(parent, "append") is parent and parent.args == [node]
    return place.written(f"{base}.detach()") if is_appended else None


def blocking_copy(place: Place) -> list[Edit] | None:
    """Remove `non_blocking=True` from the copy that the name holds, if it is bound once in the function."""
    node, module = place.node, place.module
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    scope = module.scope(place.node)
    if not isinstance(node, ast.Name) or bindings(node.id, [scope]) != 1:
        return None
    for each in ast.walk(scope):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as copy) if name == node.id:
                return _without_flag(Place(module, copy)) if method(copy, "to") else None
    return None


def _without_flag(copy: Place) -> list[Edit] | None:
    """Return the edits that remove the argument, which must be the last."""
    call = copy.call
    if call is None or len(call.args) < 2 or call.args[-1].keyword is None:
        return None
    if call.args[-1].keyword.value != "non_blocking":
        return None
    *rest, last = call.args
    rest[-1] = rest[-1].with_changes(
        comma=last.comma if isinstance(last.comma, cst.Comma) else cst.MaybeSentinel.DEFAULT
    )
    return copy.rewritten(call.with_changes(args=rest))
