"""Makes tensors say that they are on the device: in text, in copies and in files, where no torch mode is active."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import torch

from ..replacing import replace
from .device import CUDA, ON_DEVICE, PINNED, on_device, parse_device

if TYPE_CHECKING:
    from .device import Device

PRIORITY: Final = -1
"""Ahead of everything that torch registers for devices of its own."""


def install_tensors(stack: ExitStack, device: Device) -> None:
    """Replace everything until the stack is closed."""
    replace(stack, torch.Tensor, "__deepcopy__", _deepcopy_of(torch.Tensor.__deepcopy__, device))
    _whereabouts(stack, device)
    _memory(stack, device)
    _text(stack, device)
    _files(stack, device)


def _whereabouts(stack: ExitStack, device: Device) -> None:
    """Answer where a tensor is even if no mode is active, as in hooks called from C++."""
    base: Any = torch._C.TensorBase
    answers: dict[str, Any] = {"device": CUDA, "is_cuda": True, "is_cpu": False}
    for name, answer in answers.items():
        replace(stack, torch.Tensor, name, _attribute(getattr(base, name), answer, device))


def _memory(stack: ExitStack, device: Device) -> None:
    """Answer for what torch asks the allocator, the driver or another library about a tensor's memory."""
    share, convert = torch.Tensor.share_memory_, torch.utils.dlpack.from_dlpack

    def share_memory_(tensor: torch.Tensor) -> torch.Tensor:
        return tensor if on_device(tensor) else share(tensor)  # type: ignore[no-untyped-call]

    def from_dlpack(source: Any, **options: Any) -> Any:
        result = convert(source, **options)
        if on_device(source):
            ON_DEVICE.add(result)
        return result

    replace(stack, torch.Tensor, "record_stream", lambda tensor, stream: None)
    replace(stack, torch.Tensor, "share_memory_", share_memory_)
    for owner in (torch, torch.utils.dlpack):
        replace(stack, owner, "from_dlpack", from_dlpack)


def _attribute(original: Any, answer: Any, device: Device) -> property:
    def where(tensor: torch.Tensor) -> Any:
        return answer if device.watchers and tensor in ON_DEVICE else original.__get__(tensor)

    return property(where)


def _deepcopy_of(original: Any, device: Device) -> Any:
    """Copy on the device, as torch does by way of the storage, of which nobody knows where it is."""

    def __deepcopy__(tensor: torch.Tensor, memo: Any) -> Any:  # noqa: N807
        device.here.muted += 1
        try:
            result = original(tensor, memo)
        finally:
            device.here.muted -= 1
        for places in (ON_DEVICE, PINNED):
            if tensor in places:
                places.add(result)
        return result

    return __deepcopy__


def _text(stack: ExitStack, device: Device) -> None:
    """Notice when a tensor is formatted as text, for which torch disables all modes."""
    original: Any = torch._tensor_str._str

    def text(tensor: Any, *, tensor_contents: Any = None) -> str:
        if on_device(tensor) and tensor.numel() and tensor_contents is None:
            device.record("repr", "reads value")
        return str(original(tensor, tensor_contents=tensor_contents))

    replace(stack, torch._tensor_str, "_str", text)


def _files(stack: ExitStack, device: Device) -> None:
    """Let files remember what was on the device: saving copies it to the host, loading copies it back."""

    def tag(storage: Any) -> str | None:
        if not ON_DEVICE.holds(getattr(storage, "_untyped_storage", storage)):
            return None
        device.record("save", "copy to host")
        return "cuda:0"

    def restore(storage: Any, location: str) -> Any:
        if not location.startswith("cuda"):
            return None
        parse_device(location)
        device.record("load", "copy to device")
        ON_DEVICE.add_storage(getattr(storage, "_untyped_storage", storage))
        return storage

    registry = torch.serialization._package_registry
    entry = (PRIORITY, tag, restore)
    registry.insert(0, entry)
    stack.callback(registry.remove, entry)
