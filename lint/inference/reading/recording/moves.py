"""Records what calls move to a device, and lets what they move in place be there."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ...often.gates import last_name
from ...often.moving import HELPER, moved
from ...often.moving_functions import handed
from ...often.names import names_model
from ...often.on_devices import names_device
from ...often.regions import RegionKind
from ...values.lattice import OPEN
from ...values.union import Batch, Deferred, Sequence
from ..state.frame import Frame
from ..state.scope import forget, path


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
    if HELPER.search(last_name(call.func)):
        _are_moved(frame, call.args)


def moved_by_own(frame: Frame, call: ast.Call) -> None:
    """Let what a function of the file moves in place be where that puts it, whatever it returns."""
    moving = frame.file.moving
    match call.func:
        case ast.Name(id=name) if name in moving:
            _are_moved(frame, handed(call, moving[name]))
        case ast.Attribute(value=ast.Name(id="self"), attr=name) if moving:
            own = f"{frame.scope.rpartition('.')[0].rpartition('.')[2]}.{name}"
            _are_moved(frame, handed(call, moving.get(own, {})))


def _are_moved(frame: Frame, given: Iterable[ast.expr]) -> None:
    for each in given:
        name = path(each)
        if name is None or names_device(each) or names_model(last_name(each)):
            continue
        value = frame.env.get(name)
        if isinstance(value, Batch | Deferred) or (isinstance(value, Sequence) and value.kind in ("dict", "list")):
            forget(frame.env, name)
            frame.hold(name, Batch(OPEN))
