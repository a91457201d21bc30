"""A copy from the host to the device as rules see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....facts import libraries
from ....facts.accelerators import FEED
from ....facts.modules import MODULE, WITH_PARAMETERS
from ....finding import Confidence, Reason, Span
from ...library.accelerators import stays_on_host
from ...library.tensor_methods import is_asynchronous
from ...notes.operations import Call
from ...values.lattice import CPU, GPU, NO_MEMORY, PAGEABLE, SCALAR, Device
from ...values.tensors import as_device
from ...values.union import (
    NONE,
    UNKNOWN,
    Batch,
    Class,
    DTypeRef,
    Function,
    Host,
    Instance,
    Module,
    Sequence,
    Tensor,
    Value,
    is_none,
    options_of,
)

NUMBERS = ("int", "float", "bool", "complex")
NUMBER = Tensor(Device(CPU, None, Reason("a number becomes a CPU tensor")), rank=SCALAR, maker="copy_")
"""What `copy_` turns a number into. Source: torch 2.13 `torch/csrc/utils/python_arg_parser.cpp`."""

PARAMETERS = Tensor(Device(CPU, None, Reason("its parameters are made on the host")), memory=PAGEABLE, maker="torch.nn")
"""What a module holds that has just been made."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """What is copied, and where to; `is_asynchronous`: the host is asked not to wait for it.

    `is_doubted`: it may be something else that is not known.
    """

    source: Tensor | Batch
    device: Device
    is_asynchronous: bool
    is_doubted: bool = False

    @property
    def target(self) -> Tensor:
        """The copy, once it is there."""
        return Tensor(self.device)

    @property
    def confidence(self) -> Confidence:
        """The confidence that the copy is from host to GPU; a loader's name alone does not make it certain."""
        by_name = isinstance(self.source, Batch) and self.source.named
        is_sure = self.source.device.on_cpu and not (by_name or self.is_doubted)
        return sureness(self.device) if is_sure else Confidence.LIKELY

    @property
    def is_new(self) -> bool:
        """Whether the source was created on the host only to be copied."""
        return isinstance(self.source, Tensor) and bool(self.source.maker)

    @property
    def is_pageable(self) -> bool:
        """Whether the source is known to be in pageable memory."""
        return self.source.memory == PAGEABLE


def sureness(device: Device) -> Confidence:
    """Return the confidence that a named device is a GPU."""
    return Confidence.CERTAIN if device.on_gpu else Confidence.LIKELY


def to_device(call: Call) -> Transfer | None:
    """Return the copy from the host to the device that a tensor method makes; None for all other calls."""
    if call.receiver is None:
        return None
    source = _made_here(call.receiver) if call.name.startswith(MODULE) else call.receiver
    if source is call.receiver and not call.name.startswith("torch.Tensor."):
        return None
    device = _target(call)
    if call.last_name == "copy_":
        device = source.device if isinstance(source, Tensor) and not source.by_use else None
        source = call.argument("other") or call.keyword("src") or UNKNOWN
        source = NUMBER if isinstance(source, Host) and source.kind in NUMBERS else source
    known = _known(source)
    if device is None or device.on_cpu or not isinstance(known, Tensor | Batch) or not _is_on_host(known):
        return None
    if known.memory == NO_MEMORY or (known.device.host_for and device.host_for):
        return None
    return Transfer(known, device, is_asynchronous(call.positional, dict(call.keywords)), known is not source)


def _known(source: Value) -> Value:
    """Return what a value is as far as that is known: one of its alternatives may not be."""
    options = [option for option in options_of(source) if option is not UNKNOWN and not is_none(option)]
    return options[0] if len(options) == 1 else source


def fed_by(call: Call) -> Iterator[Span]:
    """Yield the loaders that a call gives to a framework, which moves each of their batches to the device."""
    if call.last_name not in FEED or not isinstance(call.receiver, Instance):
        return
    kind = libraries.class_kind(call.receiver.cls)
    if kind != ("lightning trainer" if call.last_name == "fit" else "accelerator") or stays_on_host(call.receiver):
        return
    for given in call.arguments:
        for each in (given.items or (given.element,)) if isinstance(given, Sequence) else options_of(given):
            if isinstance(each, Instance) and each.made and libraries.class_kind(each.cls) == "dataloader":
                yield each.made


def _made_here(module: Value) -> Value:
    """Return the parameters of a module that is made to be moved; the same value if it has none, or not on the host."""
    if not isinstance(module, Instance) or module.device is not None or module.argument("device") not in (None, NONE):
        return module
    return PARAMETERS if module.cls.removeprefix("torch.nn.") in WITH_PARAMETERS else module


def _is_on_host(source: Tensor | Batch) -> bool:
    """Whether it is known how the source came to the host, or that a loader yields it."""
    if isinstance(source, Batch):
        return source.device.on_cpu or bool(source.named or source.device.host_for)
    return bool(source.device.host_for) or (source.device.on_cpu and source.device.why is not None)


def _target(call: Call) -> Device | None:
    """Return the device that a move or a cast names; None if it names none."""
    first = call.positional[0] if call.positional else None
    match call.last_name:
        case "cuda":
            return _CUDA
        case "to":
            given = call.keyword("device") or call.keyword("other") or first
            return None if isinstance(given, DTypeRef) else as_device(given)
        case "type_as":
            return as_device(first or call.keyword("other"))
        case "type":
            return _CUDA if _names_gpu(call.argument("dtype")) else None
    return None


_CUDA = Device(GPU)


def _names_gpu(target: Value | None) -> bool:
    match target:
        case Host("str", str() as name) | Module(name) | Class(name) | Function(name):
            return name.startswith("torch.cuda.") and name.endswith("Tensor")
    return False
