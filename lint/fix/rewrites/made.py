"""Rewritings of where optimizers and layers are made, or called."""

from __future__ import annotations

import ast
from typing import Final

from ...offers import Edit
from ..bound import made
from ..module import Module
from ..place import Place
from ..syntax import method
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
