"""Rewritings of reads on the host."""

from __future__ import annotations

import ast
from itertools import takewhile

import libcst as cst

from ...offers import Edit
from ..place import Place, smallest
from ..syntax import assigned, bindings, is_alone, is_name, is_path, method, number, uses


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


def items_at_once(place: Place) -> list[Edit] | None:
    """Write `a, b = torch.stack((x, y)).tolist()` for `a = x.item()` and `b = y.item()` in a row."""
    module, torch = place.module, place.module.torch
    statement = module.statement(place.node)
    block = module.block(statement) if statement else None
    if torch is None or module.is_scripted or block is None or not _read(statement, place):
        return None
    at = next(at for at, each in enumerate(block) if each is statement)
    first = at
    while first and _read(block[first - 1], place):
        first -= 1
    pairs = [pair for each in takewhile(lambda each: _read(each, place), block[first:]) if (pair := _read(each, place))]
    names = [name for name, _ in pairs]
    rows = block[first : first + len(pairs)]
    if len(pairs) < 2 or len({*names}) < len(names) or not all(is_alone(each, module) for each in rows):
        return None
    if any(uses(name, [tensor]) for name in names for _, tensor in pairs):
        return None
    start, end = module.source.span(rows[0]), module.source.span(rows[-1])
    if any("#" in line for line in module.source.lines[start.row - 1 : end.end_row]):
        return None
    tensors = ", ".join(module.text(tensor) for _, tensor in pairs)
    text = f"{', '.join(names)} = {torch}.stack(({tensors})).tolist()"
    return [Edit(start.row, start.column, end.end_row, end.end_column, text)]


def _read(statement: ast.stmt | None, place: Place) -> tuple[str, ast.expr] | None:
    """Return the name and the tensor of `name = tensor.item()`, if the rule has offered to read it with others."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(value=tensor)) as call):
            details = [each.details for node, each in place.peers if node is call and each.rewrite == "items-at-once"]
            return (name, tensor) if details == [tuple(place.details)] and is_path(tensor) else None
    return None


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
