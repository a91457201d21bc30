"""The device of tensors that are given none: `torch.set_default_device(…)`, `with torch.device(…):`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ..facts.devices import DEFAULT_SETTERS, FOLLOWING_DEFAULT
from ..facts.signatures import lookup
from ..finding import Reason
from .arguments import Arguments
from .arithmetic import Arithmetic
from .lattice import CPU, GPU, OPEN, Device
from .tensors import as_device
from .values import NONE, DeviceRef, Host, Module, Tensor, Value

KEY = "the default device"
"""The name by which environments hold the default device, so that branches join it; no name of a program."""


class DefaultDevice(Arithmetic):
    """The part of the reader that knows the default device."""

    def note_default(self, node: ast.Call, name: str, arguments: Arguments) -> None:
        """A call that sets the default device."""
        if name in DEFAULT_SETTERS:
            why = self.because(node, "the default device is set here")
            self.env[KEY] = DeviceRef(_device_set(arguments.first(), why))

    @contextmanager
    def made_on(self, manager: Value) -> Iterator[None]:
        """Inside of `with torch.device(…):` tensors are made there."""
        if not isinstance(manager, DeviceRef):
            yield
            return
        before, self.file.has_default = self.env.get(KEY), True
        self.env[KEY] = manager
        yield
        self.env.pop(KEY, None)
        if before is not None:
            self.env[KEY] = before

    def with_default(self, name: str, arguments: Arguments) -> Device | None:
        """Gives the default device to a call that names none, where one was set; returns it."""
        if not self.file.has_default or arguments.keywords.get("device", NONE) != NONE or not _follows(name):
            return None
        device = self.default_device()
        if device is not None:
            arguments.keywords["device"] = DeviceRef(device)
        return device

    def default_device(self) -> Device | None:
        """The default device at this place; open where another function sets it, None where nothing does."""
        for names in (self.env, *self.closure):
            if isinstance(known := names.get(KEY), DeviceRef):
                return known.device
        return OPEN if self.scope and self.file.sets_default else None


def on_default(value: Value, device: Device) -> Value:
    """What a call made on the default device, with the reason for that."""
    return replace(value, device=device) if isinstance(value, Tensor) else value


def _follows(name: str) -> bool:
    """The function makes tensors on the default device."""
    signature = lookup(name)
    return name in FOLLOWING_DEFAULT or (signature is not None and signature.device == "factory")


def _device_set(given: Value, why: Reason) -> Device:
    match given:
        case Host("NoneType"):
            return Device(CPU)
        case Host("str", str() as text) | Module(text) if text.endswith("Tensor"):
            return Device(GPU if ".cuda." in text else CPU, None, why)
    return as_device(given, why) or OPEN
