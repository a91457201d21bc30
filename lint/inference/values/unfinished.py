"""Copies to the host that nothing has waited for yet: which values they are, and when they are complete."""

from __future__ import annotations

from dataclasses import replace

from ...finding import Confidence
from .union import Sequence, Tensor, Value, options_of


def pending(value: Value) -> Confidence | None:
    """Return the confidence that the device may still be writing to this value; None if it is not."""
    return value.pending if isinstance(value, Tensor) else None


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
        case Sequence():
            items = None if value.items is None else tuple(map(complete, value.items))
            return Sequence(value.kind, items, complete(value.element), value.keys)
    return value
