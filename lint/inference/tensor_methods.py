"""What methods of tensors return: moves and casts by themselves, all others by their signature."""

from __future__ import annotations

from ..facts import dtypes
from ..facts.signatures import lookup
from .arguments import Arguments
from .lattice import ANY_DTYPE, CPU, GPU, OPEN, PINNED, Device
from .signature_results import of_signature
from .tensors import as_device, dtype_of
from .values import Batch, Deferred, DTypeRef, Host, Module, Tensor, Value, device_of, on_device


def method(name: str, receiver: Tensor | Batch, arguments: Arguments) -> Value | None:
    """What `receiver.name(…)` returns for a method of torch.Tensor; None where there is no such method."""
    if name in ("to", "cuda", "cpu", "xpu"):
        return _moved(name, receiver, arguments)
    if isinstance(receiver, Batch):
        receiver = Tensor(receiver.device, memory=receiver.memory)
        arguments.receiver = receiver
    if name in dtypes.CASTS:
        return Tensor(receiver.device, dtypes.CASTS[name], receiver.rank, receiver.memory)
    if name == "type":
        return _typed(receiver, arguments)
    if name == "type_as" and arguments.positional:
        other = arguments.positional[0]
        return Tensor(device_of(other) or OPEN, dtype_of(other), receiver.rank)
    if name == "pin_memory":
        return Tensor(receiver.device, receiver.dtype, receiver.rank, PINNED)
    if name == "new":
        return Tensor(receiver.device, receiver.dtype)
    if name == "numpy":
        return Host("ndarray")
    if name == "size":
        return Host("int") if arguments.positional or arguments.keywords else Host("Size")
    signature = lookup(f"torch.Tensor.{name}")
    return of_signature(signature, arguments) if signature else None


def _moved(name: str, receiver: Tensor | Batch, arguments: Arguments) -> Value:
    if name == "cpu":
        return on_device(receiver, Device(CPU, None, arguments.reason("copied to the host")))
    if name in ("cuda", "xpu"):
        return on_device(receiver, Device(GPU, None, arguments.reason(f"moved to the GPU by `.{name}()`")))
    return _to(receiver, arguments.keywords.get("device", *arguments.positional[:1]), arguments)


def _to(receiver: Tensor | Batch, target: Value | None, arguments: Arguments) -> Value:
    """`.to(target)`: a device, a dtype, both, or another tensor that has both."""
    device = None if target is None else as_device(target, arguments.reason("moved here by `.to(…)`"))
    moved = receiver if device is None else on_device(receiver, device)
    dtype = next((each.dtype for each in arguments.all() if isinstance(each, DTypeRef)), None)
    if isinstance(target, Tensor):
        dtype = target.dtype
    if isinstance(target, Deferred) and dtype is None:
        dtype = ANY_DTYPE
    if dtype is not None and isinstance(moved, Tensor):
        return Tensor(moved.device, dtype, moved.rank, moved.memory, moved.by_use)
    return moved


def _typed(receiver: Tensor, arguments: Arguments) -> Value:
    match arguments.positional[:1]:
        case ():
            return Host("str")
        case (DTypeRef(dtype),):
            return Tensor(receiver.device, dtype, receiver.rank)
        case (Host("str", str() as text) | Module(text),):
            device = Device(GPU if ".cuda." in text else CPU, None, arguments.reason(f"becomes a {text}"))
            return Tensor(device, dtypes.TENSOR_CLASSES.get(text.rpartition(".")[2], ANY_DTYPE), receiver.rank)
        case _:
            return Tensor(receiver.device, ANY_DTYPE, receiver.rank)
