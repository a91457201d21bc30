"""Rewritings of where optimizers and layers are made, or called."""

from __future__ import annotations

import ast
from typing import Final

from ...finding import Edit
from ..module import Module
from ..place import Place
from ..syntax import bindings, is_name, method
from .arguments import added

_FUSED: Final = frozenset(("Adagrad", "Adam", "AdamW", "SGD"))
_CAUSAL: Final = "generate_square_subsequent_mask"


def fused_optimizer(place: Place) -> list[Edit] | None:
    """Pass `fused=True` where the optimizer of `scaler.step(optimizer)` is made."""
    node = place.node
    call = made(node.args[0], place) if isinstance(node, ast.Call) and len(node.args) == 1 else None
    if call is None or not isinstance(call.func, ast.Attribute) or call.func.attr not in _FUSED:
        return None
    return _passed(call, "fused", place.module, without=("foreach", "capturable", "differentiable"))


def capturable_optimizer(place: Place) -> list[Edit] | None:
    """Pass `capturable=True` where the optimizer of `optimizer.step()` is made."""
    node = place.node
    owner = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    call = None if owner is None else made(owner, place)
    return None if call is None else _passed(call, "capturable", place.module)


def causal_mask(place: Place) -> list[Edit] | None:
    """Pass `is_causal=True` beside a mask of `generate_square_subsequent_mask`."""
    mask, flag = place.details[:2]
    node = place.node
    given = [each.value for each in node.keywords if each.arg == mask] if isinstance(node, ast.Call) else []
    call = made(given[0], place) if given else None
    while call is not None and method(call, "to", "cuda") and isinstance(call.func, ast.Attribute):
        call = call.func.value if isinstance(call.func.value, ast.Call) else None
    is_made = call is not None and isinstance(call.func, ast.Attribute) and call.func.attr == _CAUSAL
    return added(place, flag, "True") if is_made else None


def mask_as_given(place: Place) -> list[Edit] | None:
    """Pass `is_causal=False` beside any other mask."""
    return added(place, place.details[0], "False")


def _passed(call: ast.Call, name: str, module: Module, without: tuple[str, ...] = ()) -> list[Edit] | None:
    """Return the edits that switch something on, if nothing is said about it or what it excludes."""
    said = {each.arg for each in call.keywords}
    return None if said & {name, None, *without} else added(Place(module, call), name, "True")


def made(node: ast.expr, place: Place) -> ast.Call | None:
    """Return the call whose result is all that a name of the function or an attribute of `self` ever stands for."""
    module = place.module
    if isinstance(node, ast.Name):
        scope = module.scope(place.node)
        if isinstance(scope, ast.ClassDef) or bindings(node.id, [scope]) != 1:
            return None
        found = [each for each in ast.walk(scope) if isinstance(each, ast.Assign) and _is_bound(each, node.id)]
    elif isinstance(node, ast.Attribute) and is_name(node.value, "self"):
        found = [each for each in ast.walk(module.source.tree) if isinstance(each, ast.Assign) and _is_set(each, node)]
        if _stores(node.attr, module) != 1:
            return None
    else:
        return None
    value = found[0].value if len(found) == 1 else None
    return value if isinstance(value, ast.Call) else None


def _is_bound(statement: ast.Assign, name: str) -> bool:
    return len(statement.targets) == 1 and is_name(statement.targets[0], name)


def _is_set(statement: ast.Assign, node: ast.Attribute) -> bool:
    target = statement.targets[0]
    return len(statement.targets) == 1 and isinstance(target, ast.Attribute) and target.attr == node.attr


def _stores(name: str, module: Module) -> int:
    """Return how often an attribute of that name is set, of whatever object."""
    every = (each for each in ast.walk(module.source.tree) if isinstance(each, ast.Attribute) and each.attr == name)
    return sum(not isinstance(each.ctx, ast.Load) for each in every)
