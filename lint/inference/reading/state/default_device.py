"""The device of tensors created without one: `torch.set_default_device(…)`, `with torch.device(…):`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from ....declared import DEFAULT_DEVICE
from ....facts.devices import DEFAULT_SETTERS, DEFAULT_TYPE, FOLLOWING_DEFAULT
from ....facts.dtypes import TENSOR_CLASSES
from ....facts.signatures import lookup
from ....finding import Reason
from ...values.arguments import Arguments
from ...values.lattice import CPU, GPU, OPEN, Device
from ...values.tensors import as_device
from ...values.union import NONE, DeviceRef, Host, Module, Tensor, Value
from .frame import Frame
from .scope import Hidden


def note_default(frame: Frame, node: ast.Call, name: str, arguments: Arguments) -> None:
    """Record a call that sets the default device."""
    if name in DEFAULT_SETTERS:
        why = frame.because(node, "the default device is set here")
        frame.env[Hidden.DEFAULT_DEVICE] = DeviceRef(_device_set(arguments.first(), why))


@contextmanager
def made_on(frame: Frame, manager: Value) -> Iterator[None]:
    """Create tensors on the device inside `with torch.device(…):`."""
    if not isinstance(manager, DeviceRef):
        yield
        return
    before, frame.file.has_default = frame.env.get(Hidden.DEFAULT_DEVICE), True
    frame.env[Hidden.DEFAULT_DEVICE] = manager
    yield
    frame.env.pop(Hidden.DEFAULT_DEVICE, None)
    if before is not None:
        frame.env[Hidden.DEFAULT_DEVICE] = before


def with_default(frame: Frame, name: str, arguments: Arguments) -> Device | None:
    """Pass the default device to a call that names none, if one was set, and return it."""
    if not frame.file.has_default or arguments.keywords.get("device", NONE) != NONE or not _follows(frame, name):
        return None
    device = default_device(frame)
    if device is not None:
        arguments.keywords["device"] = DeviceRef(device)
    return device


def default_device(frame: Frame) -> Device | None:
    """Return the default device here; open if another function sets it, None if nothing does, nor the configuration.

    Modules of packages are imported before a launcher or framework sets it.
    """
    for names in (frame.env, *frame.closure):
        if isinstance(known := names.get(Hidden.DEFAULT_DEVICE), DeviceRef):
            return known.device
    if frame.scope and frame.file.sets_default:
        return OPEN
    name = frame.file.default_device
    if name == DEFAULT_DEVICE or _is_imported(frame):
        return None
    return as_device(Host("str", name), Reason(f"the configuration says that tensors are made on {name}"))


def _is_imported(frame: Frame) -> bool:
    """Whether the body, of a module of a package or of a class in it, runs while the module is imported."""
    return "." in frame.file.module and frame.scope in ("", frame.cls)


def on_default(value: Value, device: Device) -> Value:
    """Return what a call creates on the default device, with the reason."""
    return value.on(device) if isinstance(value, Tensor) else value


def _follows(frame: Frame, name: str) -> bool:
    """Whether the function creates tensors on the default device; `torch.Tensor` does by the default type alone."""
    if name.rpartition(".")[2] in TENSOR_CLASSES:
        return DEFAULT_TYPE in frame.file.source.text
    signature = lookup(name)
    return name in FOLLOWING_DEFAULT or (signature is not None and signature.device == "factory")


def _device_set(given: Value, why: Reason) -> Device:
    match given:
        case Host("NoneType"):
            return Device(CPU)
        case Host("str", str() as text) | Module(text) if text.endswith("Tensor"):
            return Device(GPU if ".cuda." in text else CPU, None, why)
    return as_device(given, why) or OPEN
