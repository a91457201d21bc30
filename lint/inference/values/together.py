"""Which device several operands share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .lattice import ANYWHERE, ARRAY, OPEN, SCALAR, Device
from .ops import Op
from .tensors import moved_to
from .union import UNKNOWN, Batch, Deferred, Tensor, Value, defer


def common_device(operands: Iterable[Value]) -> Device:
    """Return the device of a result; the operands of an operator share their device, except 0-dim CPU tensors.

    A tensor like another value tells more than an open question, which may turn out to be a number. What may be a 0-dim
    CPU tensor is one if linking finds the other operand on the GPU.
    """
    operands = list(operands)
    found: Device | None = None
    host: Device | None = None
    is_array = False
    for value in operands:
        if isinstance(value, Deferred):
            moved = moved_to(value)
            if moved is not None and moved.on_gpu:
                return moved
            found = found or moved or Device(ANYWHERE, value)
            continue
        if not isinstance(value, Tensor | Batch):
            continue
        if value.device.on_gpu:
            return value.device
        if value.device.on_cpu:
            if not isinstance(value, Tensor) or value.rank & ARRAY:
                host = host or value.device
                is_array = is_array or not isinstance(value, Tensor) or not value.rank & SCALAR
        elif found is None or found.host_for or (value.device.like is not None and _may_be_a_number(found, operands)):
            found = value.device
    if host is not None:
        return host if is_array or found is None or host.like is not None else replace(host, like=found.like)
    return _together(found, operands) or found or _scalar_device(operands)


def _together(found: Device | None, operands: list[Value]) -> Device | None:
    """Return the device of several operands if the one that tells most is made of what may be but a number."""
    if found is None or not isinstance(found.like, Deferred) or found.like.op is not Op.DATA:
        return None
    asked = tuple(each for each in operands if isinstance(each, Deferred) or _is_like_another(each))
    like = defer(Op.TOGETHER, "", asked) if len(asked) > 1 else UNKNOWN
    return replace(found, like=like) if isinstance(like, Deferred) else None


def _is_like_another(value: Value) -> bool:
    return isinstance(value, Tensor | Batch) and value.device.like is not None


def _may_be_a_number(found: Device, operands: list[Value]) -> bool:
    """Whether the device is unknown, or is that of an operand that is an open question."""
    return found.like is None or any(found.like is value for value in operands)


def _scalar_device(operands: Iterable[Value]) -> Device:
    values = [v for v in operands if isinstance(v, Tensor | Batch)]
    return values[0].device if values and all(v.device.on_cpu for v in values) else OPEN
