"""Finds what calls move to a device, in the text: whatever the values are."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....facts import naming
from ....regex import regex
from ...often.gates import last_name, names_device
from ...often.names import names_model
from ..state.frame import Frame

_HELPER = regex(naming.MOVING_FUNCTIONS)


def moved(call: ast.Call) -> Iterator[ast.expr]:
    """Yield what a call moves to a device: `x.to(device)`, `x.cuda()`, `move_to_device(x, device)`."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    match call.func:
        case ast.Attribute(value=value, attr="cuda"):
            yield value
        case ast.Attribute(value=value, attr="to") if any(map(_is_device, given)):
            yield value
        case func if _HELPER.search(last_name(func)):
            yield from given


def _is_device(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str() as text):
            return text.startswith("cuda")
        case ast.JoinedStr():
            return True
    return names_device(node) or last_name(node) in naming.RANK_NAMES


def note_moved(frame: Frame, call: ast.Call, target: ast.expr) -> None:
    """Record that what names hold is moved to the GPU under the same names: it was on the host before.

    What `x = x.to(device)` moves may be there already, since that is written in case it is not.
    """
    if isinstance(call.func, ast.Attribute) and call.func.attr == "to":
        return
    targets = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    names = {each.id for each in targets if isinstance(each, ast.Name) and not names_model(each.id)}
    for each in moved(call) if names else ():
        if isinstance(each, ast.Name) and each.id in names and each.id in frame.env:
            frame.recorder.saw_moved(frame.env[each.id])
