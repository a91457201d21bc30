"""What functions are given that move batches to the device, and `.to()`, where nothing else is known about it."""

from __future__ import annotations

import ast

from ....facts import naming
from ....regex import regex
from ...often.gates import last_name
from ...often.names import names_model
from ...values.lattice import CPU, OPEN, Device
from ...values.ops import Op
from ...values.union import Batch, Deferred, DeviceRef, Tensor, Value, defer
from ..state.frame import Frame

_MOVES_BATCHES = regex(naming.MOVING_FUNCTIONS)
_MOVES = (".to", ".cuda")


def before_move(frame: Frame, node: ast.Call, name: str, receiver: Value) -> Value:
    """Return what a call of this name moves, of what its function is given: on the host if nothing else is known.

    So is what a function like `move_to_device` is given, what a model is fed, as `set_input` does, and what a function
    trains on, which linking knows.
    """
    if not name.endswith(_MOVES) or frame.node is None:
        return receiver
    parameter = _parameter(receiver.device.like if isinstance(receiver, Tensor | Batch) else receiver)
    prefix, _, given = (parameter.name if parameter is not None else "").rpartition(":")
    if prefix != frame.scope or names_model(given):
        return receiver
    function = frame.node.name
    does = _told_by_name(function)
    words = f"has the name of what {does}" if does else "trains on what it is given, and moves it to a device itself"
    on_host = Batch(Device(CPU, None, frame.because(node, f"`{function}` {words}")), named=given)
    return frame.recorder.same(defer(Op.HANDED, "" if does else frame.scope, (receiver, on_host)))


def _told_by_name(function: str) -> str:
    """Return what a function does with data that has a name for that; empty if it has not."""
    if function in naming.FEEDING:
        return "gives a model each batch"
    return "moves batches to a device" if _MOVES_BATCHES.search(function) else ""


def as_target(frame: Frame, node: ast.expr, value: Value) -> Value:
    """Return what `.to()` is given: a device, if that is named like a number that stands for one, and nothing tells."""
    if not isinstance(value, Deferred) or last_name(node) not in naming.RANK_NAMES:
        return value
    return frame.recorder.same(defer(Op.BOUND, "", (value, DeviceRef(OPEN))))


def _parameter(value: Value | None) -> Deferred | None:
    """Return the parameter that a value is, or is a part of."""
    while isinstance(value, Deferred) and value.op is not Op.PARAMETER and value.operands:
        value = value.operands[0]
    return value if isinstance(value, Deferred) and value.op is Op.PARAMETER else None
