"""The result of functions that are declared to move what they are given to the GPU."""

from __future__ import annotations

from dataclasses import replace

from ...declared import Fact
from ..values.arguments import Why
from ..values.joining import join_all
from ..values.lattice import GPU, Device
from ..values.ops import Op
from ..values.placement import on_device
from ..values.union import NONE, UNKNOWN, Batch, Deferred, DeviceRef, Instance, OneOf, Sequence, Tensor, Value, defer


def moved(fact: Fact, given: tuple[Value, ...], why: Why | None = None) -> Value:
    """Return what a call of the function returns: its first argument, after the instance if it is a method."""
    owner = fact.name.rpartition(".")[0]
    is_bound = given[:1] and isinstance(given[0], Instance) and f".{given[0].cls}".endswith(f".{owner}")
    value = next(iter(given[1:] if is_bound else given), UNKNOWN)
    reason = why(f"moved to the GPU by `{fact.last_name}`, {fact.words}") if why else None
    return _on(value, Device(GPU, None, reason))


def _on(value: Value, device: Device) -> Value:
    match value:
        case Tensor() | Batch() | Instance():
            return on_device(value, device)
        case Sequence():
            items = None if value.items is None else tuple(_on(each, device) for each in value.items)
            element = _on(value.element, device) if items is None or value.element is not UNKNOWN else UNKNOWN
            return replace(value, items=items, element=element)
        case OneOf():
            return join_all(_on(option, device) for option in value.options)
        case Deferred():
            return defer(Op.BATCH, "", (defer(Op.METHOD, "cuda", (value, DeviceRef(device))), Batch(device)))
    return value if value == NONE else Batch(device)
