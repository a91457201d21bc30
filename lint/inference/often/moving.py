"""Finds what calls move to a device, in the text: whatever the values are."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...facts import naming
from ...regex import regex
from .gates import last_name
from .on_devices import names_device

HELPER = regex(naming.MOVING_FUNCTIONS)


def moved(call: ast.Call) -> Iterator[ast.expr]:
    """Yield what a call moves to a device: `x.to(device)`, `x.cuda()`, `move_to_device(x, device)`."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    match call.func:
        case ast.Attribute(value=value, attr="cuda"):
            yield value
        case ast.Attribute(value=value, attr="to") if any(map(_is_device, given)):
            yield value
        case func if HELPER.search(last_name(func)):
            yield from given


def _is_device(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str() as text):
            return text.startswith("cuda")
        case ast.JoinedStr():
            return True
    return names_device(node) or last_name(node) in naming.RANK_NAMES
