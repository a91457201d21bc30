"""Finds what calls move to a device, in the text: whatever the values are."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....facts import naming
from ....regex import regex
from ...often.gates import last_name
from ...often.names import names_model
from ...often.on_devices import names_device
from ...often.regions import RegionKind
from ...values.lattice import OPEN
from ...values.union import Batch, Deferred, Sequence
from ..state.frame import Frame
from ..state.scope import forget, path

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

    What `x = x.to(device)` moves may be there already, since that is written in case it is not, and so may what is
    moved under a condition.
    """
    if (isinstance(call.func, ast.Attribute) and call.func.attr == "to") or frame.region.is_in(RegionKind.BRANCH):
        return
    targets = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    names = {each.id for each in targets if isinstance(each, ast.Name) and not names_model(each.id)}
    for each in moved(call) if names else ():
        if isinstance(each, ast.Name) and each.id in names and each.id in frame.env:
            frame.recorder.saw_moved(frame.env[each.id])


def move_in_place(frame: Frame, call: ast.Call) -> None:
    """Let what a statement hands to a function that moves be where that puts it: `move_to_device(batch, device)`.

    Nobody uses what such a call returns, so it changes the items of what it is given.
    """
    if not _HELPER.search(last_name(call.func)):
        return
    for each in call.args:
        name = path(each)
        if name is None or names_device(each) or names_model(last_name(each)):
            continue
        value = frame.env.get(name)
        if isinstance(value, Batch | Deferred) or (isinstance(value, Sequence) and value.kind == "dict"):
            forget(frame.env, name)
            frame.hold(name, Batch(OPEN))
