"""Copies to the host that nothing has waited for yet: which values they are, and when they are complete."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...finding import Confidence
from .lattice import PINNED
from .ops import Op
from .tensors import moved_to
from .union import Deferred, Host, Sequence, Tensor, Value, options_of

ASYNCHRONOUS: Final = ("non_blocking", Host("bool", True))
"""The argument that asks the host not to wait for a copy."""


def pending(value: Value) -> Confidence | None:
    """Return the confidence that the device may still be writing to this value; None if it is not.

    Of an open value that is copied, linking tells whether it is on the device.
    """
    match value:
        case Tensor():
            return value.pending
        case Deferred(op=Op.METHOD) if ASYNCHRONOUS in value.keywords and _is_to_host(value):
            return Confidence.LIKELY
    return None


def _is_to_host(copy: Deferred) -> bool:
    """Whether a copy is one to the host: `x.to("cpu")`, or into a tensor in pinned memory there."""
    match copy.name, copy.operands:
        case "copy_", (Tensor(memory=memory, device=device), *_):
            return memory == PINNED and device.on_cpu
    target = moved_to(copy)
    return target is not None and target.on_cpu


def holds_pending(value: Value) -> bool:
    """Whether the value is such a copy, or a list or tuple that contains one."""
    if isinstance(value, Sequence):
        return any(map(holds_pending, value.items or (value.element,)))
    return any(pending(option) is not None for option in options_of(value))


def complete(value: Value) -> Value:
    """Return the value once the host has waited for the device."""
    match value:
        case Tensor():
            return replace(value, pending=None)
        case Deferred() if pending(value) is not None:
            return replace(value, keywords=tuple(each for each in value.keywords if each != ASYNCHRONOUS))
        case Sequence():
            items = None if value.items is None else tuple(map(complete, value.items))
            return Sequence(value.kind, items, complete(value.element), value.keys)
    return value
