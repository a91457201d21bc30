"""Rewritings of counts whose results nobody needs but a condition."""

from __future__ import annotations

import ast

from ...offers import Edit
from ..module import Module
from ..place import Place, smallest
from ..syntax import bindings, is_constant, is_name, is_path, method, number, uses


def classes_by_scattering(place: Place) -> list[Edit] | None:
    """Write `torch.zeros(K, …).scatter_add_(0, x.long(), …)` for `torch.bincount(x, minlength=K)`."""
    call, torch = place.node, place.module.torch
    if torch is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    given = call.args if is_name(call.func.value, torch) else [call.func.value, *call.args]
    match call.keywords:
        case [ast.keyword(arg="minlength", value=size)] if len(given) == 1 and is_path(given[0]) and _is_size(size):
            x, classes = (place.module.text(each) for each in (given[0], size))
        case _:
            return None
    zeros = f"{torch}.zeros({classes}, dtype={torch}.long, device={x}.device)"
    return place.written(f"{zeros}.scatter_add_(0, {x}.long(), {torch}.ones_like({x}, dtype={torch}.long))")


def _is_size(node: ast.expr) -> bool:
    """Whether this is a product of names and positive numbers; `n or 0` may be less than what is counted."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Mult) and _is_size(node.left) and _is_size(node.right)
    return is_path(node) or (number(node) or 0) > 0


def positions_as_count(place: Place) -> list[Edit] | None:
    """Write `torch.count_nonzero(x)` for `len(torch.nonzero(x))`, `x.nonzero().size(0)` and `x.nonzero().shape[0]`."""
    module, torch, call = place.module, place.module.torch, place.node
    if torch is None or not isinstance(call, ast.Call) or call.keywords or not isinstance(call.func, ast.Attribute):
        return None
    given = call.args if is_name(call.func.value, torch) else [call.func.value, *call.args]
    outer = next((each for each in module.around(call) if isinstance(each, ast.expr) and _counts(each, place)), None)
    if len(given) != 1 or outer is None or call.func.attr not in ("nonzero", "argwhere"):
        return None
    text = f"{torch}.count_nonzero({module.text(given[0])})"
    return None if "#" in module.text(outer) else [smallest(module.replaced(outer, text), module.text(outer))]


def _counts(node: ast.expr, place: Place) -> bool:
    """Whether an expression is the number of the rows of the place."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[given]):
            return given is place.node
        case ast.Subscript(value=ast.Attribute(value=given, attr="shape"), slice=ast.Constant(value=0)):
            return given is place.node
        case ast.Call(func=ast.Attribute(value=given, attr="size"), args=[ast.Constant(value=0)], keywords=[]):
            return given is place.node
    return False


def distinct_by_sorting(place: Place) -> list[Edit] | None:
    """Write `values = x.flatten().sort().values`, and count where neighbours differ, for `values = torch.unique(x)`.

    It must be that only the number of values is asked for, in `if values.numel() < 2: y = …`, which becomes
    `y = torch.where((values[1:] != values[:-1]).sum() + 1 < 2, …, y)`.
    """
    module, torch, call = place.module, place.module.torch, place.node
    made = module.parents.get(call)
    subject = _subject(call, torch)
    if torch is None or subject is None or not isinstance(made, ast.Assign) or len(made.targets) != 1:
        return None
    name = made.targets[0].id if isinstance(made.targets[0], ast.Name) else ""
    scope, block = module.scope(call), module.block(made) or []
    read = uses(name, [scope])
    if len(read) != 1 or bindings(name, [scope]) != 1 or isinstance(scope, ast.Module | ast.ClassDef):
        return None
    asked = next((each for each in block if isinstance(each, ast.If) and read[0] in ast.walk(each.test)), None)
    chosen = _chosen(asked, name, f"({name}[1:] != {name}[:-1]).sum() + 1", module) if asked is not None else None
    if chosen is None or asked is None or "#" in module.text(made) or "#" in module.text(asked):
        return None
    values = f"{module.text(subject)}.flatten().sort().values"
    text = f"{chosen[0]} = {torch}.where({chosen[1]}, {chosen[2]}, {chosen[0]})"
    return [smallest(module.replaced(call, values), module.text(call)), module.replaced(asked, text)]


def _subject(call: ast.expr, torch: str | None) -> ast.expr | None:
    """Return the tensor whose distinct values are computed, and nothing else about them."""
    if not isinstance(call, ast.Call) or call.keywords or not isinstance(call.func, ast.Attribute):
        return None
    if call.func.attr != "unique":
        return None
    given = call.args if is_name(call.func.value, torch or "") else [call.func.value, *call.args]
    return given[0] if len(given) == 1 and is_path(given[0]) else None


def _chosen(asked: ast.If, name: str, count: str, module: Module) -> tuple[str, str, str] | None:
    """Return the variable, the condition and the value of `if count(name) < number: y = …y…`."""
    match asked:
        case ast.If(
            test=ast.Compare(left=left, ops=[_], comparators=[right]),
            body=[ast.Assign(targets=[ast.Name(id=variable)], value=ast.BinOp() as value)],
            orelse=[],
        ):
            before = module.text(asked.test)
        case _:
            return None
    side = left if _is_count(left, name) else right
    if not _is_count(side, name) or not is_constant(right if side is left else left, module):
        return None
    if not uses(variable, [value]) or not all(_is_arithmetic(each, module) for each in ast.walk(value)):
        return None
    return variable, before.replace(module.text(side), count), module.text(value)


def _is_count(node: ast.expr, name: str) -> bool:
    """Whether this is `values.numel()`, `values.size(0)`, `len(values)` or `values.shape[0]`."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[given]):
            return is_name(given, name)
        case ast.Subscript(value=ast.Attribute(value=given, attr="shape"), slice=ast.Constant(value=0)):
            return is_name(given, name)
    call = method(node, "numel", "size")
    if call is None or not isinstance(call.func, ast.Attribute) or not is_name(call.func.value, name):
        return False
    return not call.args or ast.unparse(call) == f"{name}.size(0)"


def _is_arithmetic(node: ast.AST, module: Module) -> bool:
    """Whether this is part of a computation of names and numbers that has no effects."""
    allowed = (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Name, ast.expr_context)
    return isinstance(node, allowed) or is_constant(node, module)
