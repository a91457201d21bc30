"""How tensors get to the simulated device and back, and what a GPU copies or rejects on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import torch
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter

from ..staging import is_direct
from .device import CPU, CUDA, ON_DEVICE, PINNED, on_device, parse_device, place, plain_name

if TYPE_CHECKING:
    from .device import Device

Arguments: TypeAlias = Sequence[Any]
Named: TypeAlias = Mapping[str, Any]
NO_NUMPY: Final = (
    "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
)


class Move(torch.autograd.Function):
    """A copy between host and device whose gradients move the other way."""

    @staticmethod
    def forward(ctx: Any, tensor: torch.Tensor, device: Device, there: bool, options: dict[str, Any]) -> torch.Tensor:
        """Copy the tensor."""
        ctx.device, ctx.back, ctx.dtype = device, not there, tensor.dtype
        return _copied(tensor, there, options)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        """Copy the gradient back, which waits."""
        (gradient,) = gradients
        device: Device = ctx.device
        if on_device(gradient) is not ctx.back and gradient.numel() and device.watchers:
            device.record("to (backward)", "copy to device" if ctx.back else "copy to host")
        device.here.muted += 1  # the modes are active here and would see the copy a second time
        try:
            return _copied(gradient, ctx.back, {"dtype": ctx.dtype}), None, None, None
        finally:
            device.here.muted -= 1


def _copied(tensor: torch.Tensor, there: bool, options: dict[str, Any]) -> torch.Tensor:
    """Return a copy of the tensor that is on the other side."""
    # synclint: ignore[SYNC103] what the simulated device holds is on the host
    result: torch.Tensor = place(tensor.to(CPU, copy=True, **options), there)
    return result


def move(
    device: Device, tensor: torch.Tensor, there: bool, name: str, non_blocking: bool, options: dict[str, Any]
) -> torch.Tensor:
    """Copy a tensor to the device or to the host; the options are a dtype and a memory format."""
    device.require()
    if isinstance(tensor, (UninitializedParameter, UninitializedBuffer)):
        return place(tensor.data.to(CPU, copy=True, **options), there)  # type: ignore[no-any-return]
    if tensor.requires_grad and torch.is_grad_enabled():
        result: torch.Tensor = Move.apply(tensor, device, there, options)  # type: ignore[no-untyped-call]
    else:
        result = _copied(tensor, there, options)
    if tensor.numel() and not (non_blocking and (not there or _is_ready(tensor, result))):
        device.record(name, "copy to device" if there else "copy to host")
    if non_blocking and not there:
        PINNED.add(result)
    return result


def _is_ready(tensor: torch.Tensor, result: torch.Tensor) -> bool:
    """Whether a tensor of the host can be copied from where it is, without a temporary."""
    return tensor in PINNED and tensor.layout is torch.strided and is_direct(tensor, result)


def _to(device: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    tensor, *rest = args
    target, dtype, flags = _parsed(rest, kwargs)
    if target is not None and target.type not in ("cuda", "cpu"):
        return func(*args, **kwargs)
    options = {
        name: value for name, value in (("dtype", dtype), ("memory_format", flags.get("memory_format"))) if value
    }
    there = tensor in ON_DEVICE if target is None else target.type == "cuda"
    if there is not (tensor in ON_DEVICE) and not tensor.is_meta:
        return move(device, tensor, there, "to", bool(flags.get("non_blocking")), options)
    return func(tensor, copy=bool(flags.get("copy")), **{"dtype": tensor.dtype, **options})


def _parsed(rest: Sequence[Any], kwargs: Named) -> tuple[torch.device | None, torch.dtype | None, dict[str, Any]]:
    """Return the device, dtype and flags of a call of `to`, in any of its forms."""
    flags = dict(kwargs)
    target, dtype, other = flags.pop("device", None), flags.pop("dtype", None), flags.pop("other", None)
    switches = iter(("non_blocking", "copy"))
    for value in rest:
        if isinstance(value, bool):
            flags[next(switches)] = value
        elif isinstance(value, torch.dtype):
            dtype = value
        elif isinstance(value, torch.Tensor):
            other = value
        elif value is not None:
            target = value
    if other is not None:
        return (CUDA if on_device(other) else torch.device(other.device)), other.dtype, flags
    return (None if target is None else parse_device(target)), dtype, flags


def _cuda(device: Device, _: Any, args: Arguments, kwargs: Named) -> Any:
    tensor, *rest = args
    named = kwargs.get("device", rest[0] if rest else None)
    parse_device(named)
    if tensor in ON_DEVICE:
        return tensor
    non_blocking = kwargs.get("non_blocking", rest[1] if len(rest) > 1 else False)
    return move(device, tensor, True, "cuda", bool(non_blocking), {})


def _cpu(device: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    if args[0] not in ON_DEVICE:
        return func(*args, **kwargs)
    return move(device, args[0], False, "cpu", False, dict(kwargs))


def _type(device: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    tensor, wanted = args[0], kwargs.get("dtype", args[1] if len(args) > 1 else None)
    if wanted is None:
        name: str = func(tensor)
        return name.replace("torch.", "torch.cuda.") if tensor in ON_DEVICE else name
    if isinstance(wanted, torch.dtype):
        return func(*args, **kwargs)
    text = wanted if isinstance(wanted, str) else f"{wanted.__module__}.{wanted.__name__}"
    there = ".cuda." in text
    dtype = torch.empty(0).type(text.replace(".cuda.", ".")).dtype
    if there is (tensor in ON_DEVICE):
        return tensor.to(dtype)
    return move(device, tensor, there, "type", bool(kwargs.get("non_blocking")), {"dtype": dtype})


def _type_as(device: Device, _: Any, args: Arguments, kwargs: Named) -> Any:
    tensor, other = args[0], kwargs.get("other", args[1] if len(args) > 1 else None)
    return _to(device, torch.Tensor.to, (tensor, other), {})


def _numpy(device: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    if args[0] not in ON_DEVICE:
        return func(*args, **kwargs)
    if not kwargs.get("force"):
        raise TypeError(NO_NUMPY)
    return func(move(device, args[0].detach(), False, "numpy", False, {}), force=True)


def _tolist(device: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    if args[0] in ON_DEVICE:
        device.record("tolist", "copy to host")
    return func(*args, **kwargs)


def _pin(device: Device, _: Any, args: Arguments, kwargs: Named) -> Any:
    (tensor, *_rest) = args
    if tensor in ON_DEVICE:
        raise RuntimeError(
            f"cannot pin '{tensor.type().replace('torch.', 'torch.cuda.')}' only dense CPU tensors can be pinned"
        )
    if tensor in PINNED:
        return tensor
    result = tensor.clone()
    PINNED.add(result)
    return result


def _is_pinned(_: Device, __: Any, args: Arguments, ___: Named) -> Any:
    return args[0] in PINNED


def _from_data(device: Device, func: Any, args: Arguments, kwargs: Named) -> Any:
    """Run `torch.tensor` and the like, which build their values on the host and copy them where they are wanted."""
    is_method = func is torch.Tensor.new_tensor
    data = args[1] if is_method and len(args) > 1 else kwargs.get("data", args[0] if args else kwargs.get("obj"))
    named, pinned = kwargs.get("device"), kwargs.get("pin_memory", False)
    others = {name: value for name, value in kwargs.items() if name not in ("device", "pin_memory")}
    if named is None and not is_method and func is not torch.tensor and isinstance(data, torch.Tensor):
        return func(*args, **others)
    wanted = _wanted(named, args[0] if is_method else data)
    if wanted.type not in ("cuda", "cpu"):
        return func(*args, **kwargs)
    there = wanted.type == "cuda"
    if isinstance(data, torch.Tensor) and func is not torch.Tensor.new_tensor and func is not torch.tensor:
        return _to(device, torch.Tensor.to, (data, wanted), {"dtype": others.get("dtype")})
    for _ in range(_elements_on_device(data)):
        device.record(plain_name(func), "reads value")
    result = device.call(func, args, others if is_method else {**others, "device": CPU})
    if _shares(result, data) and there:
        result = result.clone()
    if there is not on_device(data) and result.numel():
        device.require()
        device.record(plain_name(func), "copy to device" if there else "copy to host")
    if pinned:
        PINNED.add(result)
    return place(result, there)


def _elements_on_device(data: Any) -> int:
    """Return how many numbers in lists are device tensors; each is read separately, where no mode can see it."""
    if not isinstance(data, (list, tuple)):
        return 0
    return sum(item.numel() if on_device(item) else _elements_on_device(item) for item in data)


def _wanted(named: Any, like: Any) -> torch.device:
    """Return where a tensor created from data goes: where it says, where its model is, or the default."""
    if named is not None:
        return parse_device(named)
    if isinstance(like, torch.Tensor):
        return CUDA if like in ON_DEVICE else torch.device(like.device)
    context = getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)
    return CPU if context is None else parse_device(context.device)


def _shares(result: torch.Tensor, data: Any) -> bool:
    """Whether a new tensor shares the memory of an array."""
    return type(data).__module__ == "numpy" and result.dim() > 0


MOVES: dict[Any, Callable[..., Any]] = {
    torch.Tensor.to: _to,
    torch.Tensor.cuda: _cuda,
    torch.Tensor.cpu: _cpu,
    torch.Tensor.type: _type,
    torch.Tensor.type_as: _type_as,
    torch.Tensor.numpy: _numpy,
    torch.Tensor.tolist: _tolist,
    torch.Tensor.pin_memory: _pin,
    torch.Tensor.is_pinned: _is_pinned,
    torch.Tensor.new_tensor: _from_data,
    torch.tensor: _from_data,
    torch.as_tensor: _from_data,
    torch.asarray: _from_data,
}
if hasattr(torch, "pin_memory"):
    MOVES |= {torch.pin_memory: _pin, vars(torch)["is_pinned"]: _is_pinned}
