"""Rewritings of what is computed of the entries that a mask selects, so that all entries take part in it."""

from __future__ import annotations

import ast

from ...offers import Edit
from ..place import Place, smallest
from ..syntax import is_path, number

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def reduced_as_where(place: Place) -> list[Edit] | None:
    """Write `torch.where(mask, x, 0).sum()` for `x[mask].sum()`; a mean is divided by the mask's own."""
    node, module, torch = place.node, place.module, place.module.torch
    reduced = module.parents.get(node)
    call = module.parents.get(reduced) if isinstance(reduced, ast.Attribute) else None
    if torch is None or not isinstance(node, ast.Subscript) or not isinstance(call, ast.Call):
        return None
    if not isinstance(reduced, ast.Attribute) or call.func is not reduced or call.args or call.keywords:
        return None
    if reduced.attr not in ("sum", "mean") or not is_path(node.slice) or not is_path(node.value):
        return None
    base, mask = module.text(node.value), module.text(node.slice)
    text = f"{torch}.where({mask}, {base}, 0).{reduced.attr}()"
    if reduced.attr == "mean":
        text = f"({text} / {mask}.to({base}.dtype).mean())"
    before = module.text(call)
    return None if "#" in before else [smallest(module.replaced(call, text), before)]


def update_as_where(place: Place) -> list[Edit] | None:
    """Write `x.copy_(torch.where(mask, x + 1, x))` for `x[mask] += 1`, where mask and x have one shape."""
    target, module, torch = place.node, place.module, place.module.torch
    statement = module.statement(target)
    if torch is None or not isinstance(target, ast.Subscript) or not isinstance(statement, ast.AugAssign):
        return None
    sign = _OPERATORS.get(type(statement.op))
    is_plain = is_path(target.value) and is_path(target.slice) and number(statement.value) is not None
    if statement.target is not target or sign is None or not is_plain:
        return None
    base, mask, value = (module.text(each) for each in (target.value, target.slice, statement.value))
    before = module.text(statement)
    text = f"{base}.copy_({torch}.where({mask}, {base} {sign} {value}, {base}))"
    return None if "#" in before else [smallest(module.replaced(statement, text), before)]
