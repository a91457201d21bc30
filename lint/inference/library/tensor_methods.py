"""The results of tensor methods: moves and casts individually, all others by their signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...facts import attributes, dtypes
from ...facts.signatures import lookup
from ...finding import Reason
from ..values import certainty
from ..values.arguments import Arguments
from ..values.lattice import ANY_DTYPE, ANY_RANK, CPU, GPU, INT, OPEN, PINNED, Device, fresh_memory, rank_flags
from ..values.ops import Op
from ..values.placement import device_of, on_device
from ..values.tensors import dtype_of
from ..values.union import NONE, Batch, Deferred, DTypeRef, Host, Module, Tensor, Value, defer
from .signatures import of_signature, target_of_move


def method(name: str, receiver: Tensor | Batch, arguments: Arguments) -> Value | None:
    """Return the result of `receiver.name(…)` for a method of torch.Tensor; None if there is no such method."""
    if name in ("to", "cuda", "cpu", "xpu", "copy_"):
        return _moved(name, receiver, arguments)
    if name == "pin_memory":
        return replace(receiver, memory=PINNED)
    if isinstance(receiver, Batch):
        receiver = Tensor(receiver.device, memory=receiver.memory)
        arguments.receiver = receiver
    if name in dtypes.CASTS:
        memory = fresh_memory(receiver.memory)
        return Tensor(receiver.device, dtypes.CASTS[name], receiver.rank, memory, maker=receiver.maker)
    if name == "type":
        return _typed(receiver, arguments)
    if name == "type_as" and arguments.positional:
        other = arguments.positional[0]
        return Tensor(device_of(other) or OPEN, dtype_of(other), receiver.rank)
    if name == "new":
        return Tensor(receiver.device, receiver.dtype)
    if name in attributes.NESTED_SIZES:
        why = arguments.reason("the sizes of nested tensors are on the host")
        return Tensor(Device(CPU, None, why), INT, rank_flags(2))
    if name == "numpy":
        return Host("ndarray")
    if name == "size":
        return Host("int") if arguments.positional or arguments.keywords else Host("Size")
    signature = lookup(f"torch.Tensor.{name}")
    made = of_signature(signature, arguments) if signature else None
    if name in attributes.RESHAPING and isinstance(made, Tensor):
        return Tensor(
            made.device, made.dtype, made.rank, receiver.memory, made.by_use, receiver.maker, receiver.pending
        )
    return made


def _moved(name: str, receiver: Tensor | Batch, arguments: Arguments) -> Value:
    if name == "copy_":
        itself = receiver if isinstance(receiver, Tensor) else Tensor(receiver.device, memory=receiver.memory)
        return copied_into(receiver, arguments) or itself
    if name == "cpu":
        return on_device(receiver, Device(CPU, None, arguments.reason("copied to the host")))
    if name in ("cuda", "xpu"):
        return on_device(receiver, Device(GPU, None, arguments.reason(f"moved to the GPU by `.{name}()`")))
    return _to(receiver, arguments.keywords.get("device", *arguments.positional[:1]), arguments)


def _to(receiver: Tensor | Batch, target: Value | None, arguments: Arguments) -> Value:
    """Return `.to(target)`: the target is a device, a dtype, both, or another tensor that has both."""
    device = target_of_move(target, receiver.device, arguments, "moved")
    moved: Value = receiver if device is None else on_device(receiver, device)
    if device is not None and device.on_cpu and is_asynchronous(arguments.positional, arguments.keywords):
        moved = _pending(receiver, device)
    dtype = next((each.dtype for each in arguments.all() if isinstance(each, DTypeRef)), None)
    if isinstance(target, Tensor):
        dtype = target.dtype
    if isinstance(target, Deferred) and (target.op, target.name) != (Op.ATTRIBUTE, "device") and dtype is None:
        dtype = ANY_DTYPE
    return replace(moved, dtype=dtype) if dtype is not None and isinstance(moved, Tensor) else moved


def _pending(source: Tensor | Batch, device: Device) -> Value:
    """Return a copy to the host that has only been requested; its memory is pinned."""
    sure = certainty.of_one(source)
    if sure is None or (isinstance(source, Batch) and not source.device.on_gpu):
        return on_device(source, device)
    dtype, rank = (source.dtype, source.rank) if isinstance(source, Tensor) else (ANY_DTYPE, ANY_RANK)
    return Tensor(device, dtype, rank, PINNED, pending=sure)


def copied_into(target: Value, arguments: Arguments) -> Value | None:
    """Return what `target.copy_(source)` leaves behind if it does not wait for the device; None if it does.

    Where an open source is, linking tells.
    """
    source = arguments.positional[0] if arguments.positional else arguments.keywords.get("src")
    if not isinstance(target, Tensor) or not target.device.on_cpu or target.memory != PINNED or source is None:
        return None
    if not is_asynchronous(arguments.positional, arguments.keywords):
        return None
    if isinstance(source, Deferred):
        return defer(Op.METHOD, "copy_", (target, source), tuple(arguments.keywords.items()))
    sure = certainty.of_one(source)
    return None if sure is None else replace(target, pending=sure)


def is_asynchronous(positional: tuple[Value, ...], keywords: Mapping[str, Value]) -> bool:
    """Whether `non_blocking` is passed by name, or by position as the first bool."""
    if (given := keywords.get("non_blocking")) is not None:
        return given not in (NONE, Host("bool", False))
    flags = [value for value in positional if isinstance(value, Host) and value.kind == "bool"]
    return bool(flags) and flags[0] != Host("bool", False)


def _typed(receiver: Tensor, arguments: Arguments) -> Value:
    match arguments.positional[:1]:
        case ():
            return Host("str")
        case (DTypeRef(dtype),):
            return Tensor(receiver.device, dtype, receiver.rank)
        case (Host("str", str() as text) | Module(text),):
            words = f"becomes a {text}"
            why = arguments.reason(words) or Reason(words)
            device = Device(GPU if ".cuda." in text else CPU, None, why)
            return Tensor(device, dtypes.TENSOR_CLASSES.get(text.rpartition(".")[2], ANY_DTYPE), receiver.rank)
        case (Host("str") | Deferred(op=Op.METHOD, name="type"),):
            return Tensor(OPEN, ANY_DTYPE, receiver.rank)  # the text names the device, too
        case (Deferred() as target,):
            to = target_of_move(target, receiver.device, arguments, "moved")
            return Tensor(to or receiver.device, ANY_DTYPE, receiver.rank)
        case _:
            return Tensor(receiver.device, ANY_DTYPE, receiver.rank)
