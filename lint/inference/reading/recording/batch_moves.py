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
    """Return what a call of this name moves: what a function like `move_to_device` is given, on the host if unknown.

    So is what a model is fed, as `set_input` does.
    """
    if not name.endswith(_MOVES) or frame.node is None:
        return receiver
    feeds = frame.node.name in naming.FEEDING
    if not feeds and not _MOVES_BATCHES.search(frame.node.name):
        return receiver
    parameter = _parameter(receiver.device.like if isinstance(receiver, Tensor | Batch) else receiver)
    prefix, _, given = (parameter.name if parameter is not None else "").rpartition(":")
    if prefix != frame.scope or names_model(given):
        return receiver
    does = "gives a model each batch" if feeds else "moves batches to a device"
    why = frame.because(node, f"`{frame.node.name}` has the name of what {does}")
    return frame.recorder.same(defer(Op.HANDED, "", (receiver, Batch(Device(CPU, None, why), named=given))))


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
