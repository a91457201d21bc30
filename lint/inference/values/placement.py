"""On which device a value is, and the value after it has moved to another."""

from __future__ import annotations

from dataclasses import replace

from .lattice import ANY_MEMORY, ANYWHERE, OPEN, Device
from .union import UNKNOWN, Batch, Deferred, DeviceRef, Instance, OneOf, Sequence, Tensor, Value


def on_device(value: Value, device: Device) -> Value:
    """Return the value after it moved to a device."""
    match value:
        case Tensor():
            return Tensor(device, value.dtype, value.rank, ANY_MEMORY, value.by_use)
        case Batch():
            return Batch(device)
        case Instance():
            return Instance(value.cls, value.arguments, device, value.made)
        case _:
            return value


def anywhere(value: Value) -> Value:
    """Return the value without its place if that is the host: a call that only tries a model tells none."""
    match value:
        case Tensor() | Batch() if value.device.on_cpu:
            return replace(value, device=OPEN)
        case Sequence():
            items = None if value.items is None else tuple(map(anywhere, value.items))
            return replace(value, items=items, element=anywhere(value.element))
    return value


def device_of(value: Value) -> Device | None:
    """Return the device of a tensor, batch, module or device reference; None for anything else."""
    match value:
        case Tensor() | Batch() | DeviceRef() | Instance():
            return value.device
        case Deferred():
            return Device(ANYWHERE, value)
        case OneOf():
            return _device_of_any(value.options)
    return None


def _device_of_any(options: tuple[Value, ...]) -> Device | None:
    """Return the device of alternatives; an unknown one may be anywhere."""
    found: Device | None = None
    for option in options:
        device = OPEN if option is UNKNOWN else device_of(option)
        if device is not None:
            found = device if found is None else found.join(device)
    return None if found == OPEN else found
