"""Rewritings of reads on the host."""

from __future__ import annotations

import ast

import libcst as cst

from ...finding import Edit
from ..place import Place, smallest
from ..syntax import assigned, bindings, is_name, method, number, uses


def detached(place: Place) -> list[Edit] | None:
    """Write `losses.append(loss.detach())` for `losses.append(loss.item())`, and the like for a running sum.

    The sum begins with a number, and the list with nothing, in the same function; the list is only summed up, counted
    or turned into a tensor afterwards.
    """
    node, module = place.node, place.module
    parent = module.parents.get(node)
    if not isinstance(node, ast.Call) or method(node, "item") is None or not isinstance(node.func, ast.Attribute):
        return None
    base = module.text(node.func.value)
    match parent:
        case ast.AugAssign(target=ast.Name(id=total), op=ast.Add()) if parent.value is node and _begins(total, place):
            before = module.text(parent)
            text = f"{total} = {total} + {base}.detach()"
            return None if "#" in before else [smallest(module.replaced(parent, text), before)]
        case ast.Call(func=ast.Attribute(value=ast.Name(id=kept), attr="append"), args=[given]) if given is node:
            return place.written(f"{base}.detach()") if _begins(kept, place) and _is_reduced(kept, place) else None
    return None


def _begins(name: str, place: Place) -> bool:
    """Whether a name of the function is only ever given numbers or empty lists, before it is added to."""
    scope = place.module.scope(place.node)
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    pairs = [
        (target, value)
        for each in ast.walk(scope)
        if isinstance(each, ast.Assign) and len(each.targets) == 1
        for target, value in assigned(each.targets[0], each.value)
        if target.id == name
    ]
    added = [each for each in ast.walk(scope) if isinstance(each, ast.AugAssign) and is_name(each.target, name)]
    is_known = bindings(name, [scope]) == len(pairs) + len(added)
    return is_known and bool(pairs) and all(_is_empty(value) or number(value) == 0 for _, value in pairs)


def _is_empty(node: ast.expr) -> bool:
    return isinstance(node, ast.List) and not node.elts


def _is_reduced(name: str, place: Place) -> bool:
    """Whether a list of numbers may as well be one of tensors, for all that is done with it."""
    module = place.module
    for use in uses(name, [module.scope(place.node)]):
        match module.parents.get(use):
            case ast.Attribute(attr="append" | "clear"):
                continue
            case ast.Call(func=ast.Name(id="sum" | "len"), args=[_]):
                continue
            case ast.Call(func=ast.Attribute(value=ast.Name(id=root), attr="stack" | "tensor")) if root == module.torch:
                continue
        return False
    return True


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
