"""What the objects of frameworks give that move models and batches to their device."""

from __future__ import annotations

from ...facts.accelerators import BATCHES, COPIES, FLAGS, MOVE, NORMS, NUMBERS, ON_HOST, PREPARE, SILENT, UNWRAP
from ...facts.modules import SELF_METHODS
from ...finding import Reason
from ..values.arguments import Arguments
from ..values.lattice import CPU, FLOAT, GPU, SCALAR, Device
from ..values.ops import Op
from ..values.placement import on_device
from ..values.union import NONE, UNKNOWN, Batch, Deferred, DeviceRef, Host, Instance, Sequence, Tensor, Value, defer

_ON_HOST = tuple((name, Host(type(value).__name__, value)) for name, value in ON_HOST)


def stays_on_host(value: Instance) -> bool:
    """Whether the framework is told to use no device."""
    return any(given in value.arguments for given in _ON_HOST)


def attribute_of(value: Instance, name: str) -> Value | None:
    """Return an attribute that is no method; None for any other name."""
    if name == "device":
        return DeviceRef(Device(CPU if stays_on_host(value) else GPU), is_object=True)
    return Host("int") if name in NUMBERS else Host("bool") if name in FLAGS else None


def of_accelerator(value: Instance, name: str, arguments: Arguments) -> Value:
    """Return the result of a method: what it is given, on the framework's device."""
    why = arguments.reason("the framework moves it to its device")
    device = Device(CPU if stays_on_host(value) else GPU, None, why)
    if name in PREPARE:
        found = tuple(_prepared(value, each, device) for each in arguments.positional)
        return found[0] if len(found) == 1 else Sequence("tuple", found) if found else UNKNOWN
    first = arguments.positional[0] if arguments.positional else UNKNOWN
    if name in MOVE:
        return _prepared(value, first, device)
    if name in UNWRAP or name in SELF_METHODS:
        return first
    if name in NORMS:
        return Tensor(device, FLOAT, SCALAR)
    return NONE if name in SILENT else UNKNOWN


def _prepared(accelerator: Instance, given: Value, device: Device) -> Value:
    """Return one argument on the device; for an open one the question what a call with it alone returns."""
    if isinstance(given, Deferred):
        return defer(Op.METHOD, "prepare", (accelerator, given))
    return on_device(given, device)


def handed_to(kind: str | None, method: str, parameters: tuple[str, ...], name: str) -> Value:
    """Return what a framework passes for a parameter of a method: what it has moved, or copied, as far as is known."""
    key = kind or "", method
    at = BATCHES.get(key, COPIES.get(key))
    if at is None or parameters[at : at + 1] != (name,):
        return UNKNOWN
    if key in COPIES:
        return Tensor(Device(CPU, None, Reason(f"it is copied to the host before `{method}`")))
    return Batch(Device(GPU, None, Reason(f"the framework moves the batch to the device before `{method}`")))
