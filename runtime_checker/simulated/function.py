"""Answers for the device at the Python level: where a tensor is, how it moves, and what a GPU rejects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._device import _device_constructors

from . import autocast as simulated_autocast
from .device import CPU, CUDA, ON_DEVICE, PINNED, on_device, parse_device, place, plain_name
from .index import index_of_device, keeps_index_on_device
from .moves import MOVES
from .operators import BACKWARD, DERIVED, FUNCTIONS

if TYPE_CHECKING:
    from .device import Device

Arguments: TypeAlias = Sequence[Any]
Named: TypeAlias = Mapping[str, Any]
Handler: TypeAlias = "Callable[[Device, Any, Arguments, Named], Any]"


class FunctionMode(TorchFunctionMode):
    """Sees each torch function and each attribute of a tensor that Python asks for in one thread."""

    def __init__(self, device: Device) -> None:
        super().__init__()
        self.device = device

    def __torch_function__(self, func: Any, types: Any, args: Arguments = (), kwargs: Named | None = None) -> Any:
        """Answer one call."""
        kwargs = kwargs or {}
        device = self.device
        if not device.watchers:
            return func(*args, **kwargs)
        handler = HANDLERS.get(func)
        if handler is not None:
            return handler(device, func, args, kwargs)
        if type(func) is FunctionType and (device.here.call is None or device.here.call[0] is not func):
            with FunctionMode(device):  # it is written in Python, and what it calls must be seen as well
                return call(device, func, args, kwargs)
        return call(device, func, args, kwargs)


def call(device: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    """Call a torch function on the device it names, with autocast's dtypes and in its own context."""
    named = kwargs.get("device")
    if named is None and (default := _default_device()) is not None and func in _device_constructors():
        named = default
    if named is not None or kwargs.get("pin_memory"):
        return _create(device, func, args, kwargs, named)
    if torch.is_autocast_enabled("cuda"):
        args, kwargs = simulated_autocast.cast(plain_name(func), args, kwargs)
    return device.call(func, args, kwargs)


def _default_device() -> torch.device | None:
    context = getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)
    return context.device if context is not None and context.device.type == "cuda" else None


def _create(device: Device, func: Any, args: Arguments, kwargs: Named, named: Any) -> Any:
    """Create a tensor where it is wanted; nothing is copied, since the device itself creates the values."""
    wanted = None if named is None else parse_device(named)
    if wanted is not None and wanted.type not in ("cuda", "cpu"):
        return device.call(func, args, kwargs)
    there = any(map(on_device, args)) if wanted is None else wanted.type == "cuda"
    if there:
        device.require()
    pinned = kwargs.get("pin_memory", False)
    others = {name: value for name, value in kwargs.items() if name not in ("device", "pin_memory")}
    generator = others.get("generator")
    if generator is not None and wanted is not None and generator.device.type != wanted.type:
        raise RuntimeError(f"Expected a '{wanted.type}' device type for generator but found '{generator.device.type}'")
    before, device.here.wanted = device.here.wanted, there
    try:
        result = device.call(func, args, {**others, "device": CPU})
    finally:
        device.here.wanted = before
    if pinned:
        PINNED.add(result)
    return place(result, there)


def _where_it_is(_: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    return CUDA if args[0] in ON_DEVICE else func(*args, **kwargs)


def _is_cuda(_: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    return args[0] in ON_DEVICE or func(*args, **kwargs)


def _is_cpu(_: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    return args[0] not in ON_DEVICE and func(*args, **kwargs)


def _index_of_device(_: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    return CUDA.index if args[0] in ON_DEVICE else func(*args, **kwargs)


def _get_item(device: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    tensor, index = args
    if tensor in ON_DEVICE:
        index = index_of_device(device, index)
    return device.call(func, (tensor, index), kwargs)


def _set_item(device: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    tensor, index, value = args
    here = device.here
    before, here.number = here.number, not isinstance(value, torch.Tensor)
    quiet = False
    try:
        if tensor in ON_DEVICE:
            index = index_of_device(device, index)
            quiet = device.version >= (2, 15) and keeps_index_on_device(tensor, index, value)
        here.muted += quiet
        result = device.call(func, (tensor, index, value), kwargs)
    finally:
        here.number = before
        here.muted -= quiet
    if tensor in ON_DEVICE and not on_device(value):
        _fills_back(device, tensor)
    return result


def _fills_back(device: Device, tensor: torch.Tensor) -> None:
    """Note that the derivative of writing a CPU value writes zeros, and creates them where that value was."""
    node = tensor.grad_fn
    if node is None:
        return

    def set_filling(filling: bool) -> None:
        device.here.filling = filling

    node.register_prehook(lambda _: set_filling(True))
    node.register_hook(lambda *_: set_filling(False))


def _differs_from_cpu(names: Sequence[str], rule: Any) -> Handler:
    """Return a handler for a function whose operators differ between CPU and GPU: its arguments tell its waits."""

    def handler(device: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
        device.waits(plain_name(func), rule, {**dict(zip(names, args, strict=False)), **kwargs})
        on_gpu = any(map(on_device, args)) or any(map(on_device, kwargs.values()))
        device.here.muted += on_gpu
        try:
            return call(device, func, args, kwargs)
        finally:
            device.here.muted -= on_gpu

    return handler


def _waits_in_backward(kind: Any, position: int) -> Handler:
    """Return a handler for a function whose derivative waits: the wait is recorded when the derivative is taken."""

    def handler(device: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
        derived = args[position] if position < len(args) else kwargs.get("value")
        is_derived = not position or getattr(derived, "requires_grad", False)
        result = call(device, func, args, kwargs)
        if on_device(result) and result.grad_fn is not None and is_derived:
            name = f"{plain_name(func)} (backward)"
            result.grad_fn.register_prehook(lambda _: device.record(name, kind) if device.watchers else None)
        return result

    return handler


def _transform(device: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    """Transform half-precision values in a wider dtype, as only GPUs can transform them as they are."""
    dtype = getattr(args[0] if args else None, "dtype", None)
    if dtype not in HALVES or args[0] not in ON_DEVICE:
        return call(device, func, args, kwargs)
    wide = call(device, func, (args[0].to(HALVES[dtype]), *args[1:]), kwargs)
    return wide.to(torch.complex32 if wide.is_complex() else torch.float16)


HALVES: Final = {torch.float16: torch.float32, torch.complex32: torch.complex64}
"""The dtypes of half-precision transforms, and those that the CPU has instead."""


def _handlers() -> dict[Any, Handler]:
    """Return everything that is not simply called, by the object that torch passes for it."""
    tensor: Any = torch.Tensor
    table: dict[Any, Handler] = {
        tensor.device.__get__: _where_it_is,
        tensor.is_cuda.__get__: _is_cuda,
        tensor.is_cpu.__get__: _is_cpu,
        tensor.get_device: _index_of_device,
        torch.get_device: _index_of_device,
        tensor.__getitem__: _get_item,
        tensor.__setitem__: _set_item,
        torch._C.TensorBase.__getitem__: _get_item,
        torch._C.TensorBase.__setitem__: _set_item,
        **MOVES,
        **{
            transform: _transform
            for transform in vars(torch.fft).values()
            if isinstance(transform, BuiltinFunctionType)
        },
    }
    homes: tuple[Any, ...] = (torch, torch._C._nn, vars(torch._C)["_linalg"], torch.Tensor)
    for name, (arguments, rule) in FUNCTIONS.items():
        table |= {getattr(home, name): _differs_from_cpu(arguments, rule) for home in homes if hasattr(home, name)}
    for name, kind in BACKWARD.items():
        handler = _waits_in_backward(kind, DERIVED.get(name, 0))
        table |= {getattr(home, name): handler for home in homes if hasattr(home, name)}
    return table


HANDLERS: Final = _handlers()
