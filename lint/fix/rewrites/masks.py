"""Rewritings of masks: where they select, and of what."""

from __future__ import annotations

import ast
from typing import Final

from ...offers import Edit
from ..module import Module
from ..place import Place, Refused, smallest
from ..syntax import bindings, is_alone, is_constant, is_free, is_name, is_path, is_unconditional, method, uses

WHOLE: Final = "whole"
"""The detail of a read that the mask has the shape of what it selects from."""

_SIMPLE: Final = (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)
_FRESH: Final = (ast.Compare, ast.BinOp, ast.UnaryOp)
_NEW: Final = frozenset(
    ("any", "all", "sum", "float", "long", "int", "bool", "clone", "numel", "size", "dim", "mean", "logical_not")
)
"""Methods of a mask whose result does not share its memory."""
_FLAT: Final = frozenset(("squeeze", "flatten", "view", "reshape"))


def positions_once(place: Place) -> list[Edit] | None:
    """Find the positions of a mask once, before the first of several reads `x[mask]` in a row of simple statements."""
    mask, module = place.node, place.module
    name = mask.slice.id if isinstance(mask, ast.Subscript) and isinstance(mask.slice, ast.Name) else ""
    statement = module.statement(place.node)
    block = module.block(statement) if statement else None
    new = f"{name}_positions"
    if block is None or not name or not is_free(new, module) or module.is_scripted:
        return None
    _refuse_unless_private(name, place)
    reads = (node for node, offer in place.peers if offer.rewrite == "mask-positions-once")
    found = [each for each in reads if _reads(each, name) and _is_in(each, block, module)]
    rows = _run(block, [module.statement(each) for each in found], name)
    found = [each for each in found if module.statement(each) in rows]
    if len(found) < 2:
        raise Refused(f"`{name}` selects nothing else in the surrounding statements, which always run together")
    if place.node not in found or not is_alone(rows[0], module) or _is_mixed(rows, found, name):
        return None
    span = module.source.span(rows[0])
    indent = module.source.lines[span.row - 1][: span.column - 1]
    line = f"{new} = {name}.nonzero(as_tuple=True)\n{indent}"
    slices = [each.slice for each in found if isinstance(each, ast.Subscript)]
    renamed = [smallest(module.replaced(each, new), module.text(each)) for each in slices]
    return [Edit(span.row, span.column, span.row, span.column, line), *renamed]


def _is_mixed(rows: list[ast.stmt], found: list[ast.expr], name: str) -> bool:
    """Whether a statement reads something else through the mask, which may be no tensor, beside what is found."""
    others = [each for row in rows for each in ast.walk(row) if isinstance(each, ast.expr) and _reads(each, name)]
    return any(
        isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load) and each not in found for each in others
    )


def _reads(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name) and node.slice.id == name


def _is_in(node: ast.expr, block: list[ast.stmt], module: Module) -> bool:
    """Whether a simple statement of the block always evaluates the node."""
    statement = module.statement(node)
    return (
        isinstance(statement, _SIMPLE)
        and any(each is statement for each in block)
        and is_unconditional(node, statement, module)
    )


def _run(block: list[ast.stmt], wanted: list[ast.stmt | None], name: str) -> list[ast.stmt]:
    """Return the simple statements from the first that is wanted on, which do not bind the mask."""
    first = next((at for at, each in enumerate(block) if any(each is one for one in wanted)), len(block))
    rows: list[ast.stmt] = []
    for each in block[first:]:
        if not isinstance(each, _SIMPLE) or bindings(name, [each]):
            break
        rows.append(each)
    return rows


def _refuse_unless_private(name: str, place: Place) -> None:
    """Raise Refused unless a mask is computed once in the function, and nothing else can have got hold of it."""
    module = place.module
    function = module.scope(place.node)
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        raise Refused(f"`{name}` is not a variable of a function")
    if bindings(name, [function]) != 1:
        raise Refused(f"`{name}` is assigned more than once in `{function.name}`")
    made = [
        each
        for each in ast.walk(function)
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and is_name(each.targets[0], name)
    ]
    if not made or not isinstance(made[0].value, _FRESH):
        where = f" on line {made[0].lineno}" if made else ""
        raise Refused(f"`{name}` is not computed here{where}: it may be aliased, and modified in between")
    for use in uses(name, [function]):
        if not _is_harmless(use, place):
            raise Refused(f"`{name}` escapes or is modified on line {use.lineno}, and may have changed by then")


def _is_harmless(use: ast.Name, place: Place) -> bool:
    """Whether a use of a mask neither changes it nor hands it on."""
    parent = place.module.parents.get(use)
    match parent:
        case ast.Subscript(slice=index) if index is use:
            return True
        case ast.Attribute(attr=name):
            call = place.module.parents.get(parent)
            return name in ("shape", "dtype", "device", "ndim") or (
                name in _NEW and isinstance(call, ast.Call) and call.func is parent
            )
        case ast.BinOp() | ast.UnaryOp() | ast.Compare():
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id=root), attr="where" | "count_nonzero")):
            return root == place.module.torch
    return False


def copy_as_where(place: Place) -> list[Edit] | None:
    """Write `x.copy_(torch.where(mask, y, x))` for `x[mask] = y[mask]`, where mask, x and y have one shape."""
    target, module, torch = place.node, place.module, place.module.torch
    statement = module.statement(target)
    if torch is None or not isinstance(target, ast.Subscript) or not isinstance(statement, ast.Assign):
        return None
    value = statement.value
    if statement.targets != [target] or not isinstance(value, ast.Subscript):
        return None
    if not (is_path(target.value) and is_path(target.slice) and is_path(value.value)):
        return None
    is_whole = any(node is value and WHOLE in offer.details for node, offer in place.peers)
    if not is_whole or ast.dump(value.slice) != ast.dump(target.slice):
        return None
    base, mask, other = (module.text(each) for each in (target.value, target.slice, value.value))
    return _instead(statement, f"{base}.copy_({torch}.where({mask}, {other}, {base}))", module)


def _instead(statement: ast.stmt, text: str, module: Module) -> list[Edit] | None:
    """Return the edit that writes a text for a statement without comments."""
    before = module.text(statement)
    return None if "#" in before else [smallest(module.replaced(statement, text), before)]


def positions_as_mask(place: Place) -> list[Edit] | None:
    """Write `x[x == a] = b` for `found = torch.nonzero(x == a).squeeze(1)` and `x[found] = b`; x has one dimension."""
    module = place.module
    first = module.statement(place.node)
    block = module.block(first) if first else None
    if block is None or not isinstance(first, ast.Assign) or not isinstance(first.targets[0], ast.Name):
        return None
    name = first.targets[0].id
    at = next(at for at, each in enumerate(block) if each is first)
    second = block[at + 1] if at + 1 < len(block) else None
    condition = _condition(first.value, place)
    scope = module.scope(first)
    if condition is None or second is None or len(first.targets) != 1 or isinstance(scope, ast.Module | ast.ClassDef):
        return None
    if not _fills(second, name, condition, module) or bindings(name, [scope]) != 1 or len(uses(name, [scope])) != 1:
        return None
    if not is_alone(first, module) or not is_alone(second, module) or not isinstance(second, ast.Assign):
        return None
    start, end = module.source.span(first), module.source.span(second)
    if any("#" in line for line in module.source.lines[start.row - 1 : end.end_row]):
        return None
    target = second.targets[0]
    base = module.text(target.value) if isinstance(target, ast.Subscript) else ""
    text = f"{base}[{module.text(condition)}] = {module.text(second.value)}"
    return [Edit(start.row, start.column, end.end_row, end.end_column, text)]


def _condition(value: ast.expr, place: Place) -> ast.expr | None:
    """Return the condition whose positions are found in one of the usual ways; the rule's node is the search."""
    call = place.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    whole = value
    if isinstance(whole, ast.Subscript) and isinstance(whole.slice, ast.Constant) and whole.slice.value == 0:
        whole = whole.value
        is_tuple = True
    else:
        flat = method(whole, *_FLAT)
        is_tuple = False
        whole = flat.func.value if flat is not None and isinstance(flat.func, ast.Attribute) else whole
        if flat is None or flat.keywords or len(flat.args) > 1:
            return None
    given = [each.arg for each in call.keywords]
    if whole is not call or given != (["as_tuple"] if is_tuple and call.func.attr != "where" else []):
        return None
    is_function = isinstance(call.func.value, ast.Name) and call.func.value.id == place.module.torch
    if is_function:
        return call.args[0] if len(call.args) == 1 else None
    return call.func.value if not call.args else None


def _fills(statement: ast.stmt, name: str, condition: ast.expr, module: Module) -> bool:
    """Whether a statement is `x[name] = number`, and the condition compares the same x with a number."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    if not isinstance(target, ast.Subscript) or not is_name(target.slice, name) or not is_path(target.value):
        return False
    if not isinstance(condition, ast.Compare) or len(condition.comparators) != 1:
        return False
    numbers = (condition.comparators[0], statement.value)
    same = ast.unparse(condition.left) == ast.unparse(target.value)
    return same and all(is_constant(each, module) for each in numbers)
