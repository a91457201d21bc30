"""Indices as written in Python: what a GPU copies to the device before it can look anything up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from .device import ON_DEVICE, on_device

if TYPE_CHECKING:
    from .device import Device

WHOLE = (torch.int32, torch.int64)


def index_of_device(device: Device, index: Any) -> Any:
    """The index with its lists and arrays made tensors of the device, each of which is a blocking copy."""
    if isinstance(index, tuple) or _is_several(index):
        return tuple(_moved(device, part) for part in index)
    return _moved(device, index)


def _is_several(index: Any) -> bool:
    """Whether a list is an index for each dimension, as it is if there are sequences in it."""
    return isinstance(index, list) and len(index) < 32 and any(isinstance(part, (list, slice)) for part in index)


def _moved(device: Device, part: Any) -> Any:
    if not _is_data(part):
        return part
    tensor = torch.tensor(part)
    if tensor.numel() == 0:
        tensor = tensor.long()
    else:
        device.record("getitem" if device.here.call is None else device.operator("index"), "copy to device")
    ON_DEVICE.add(tensor)
    return tensor


def _is_data(part: Any) -> bool:
    """Whether part of an index is a list of numbers or an array, rather than a slice, a number or a tensor."""
    if isinstance(part, (list, range)):
        return all(isinstance(item, (int, float)) or _is_data(item) for item in part)
    return type(part).__module__ == "numpy" and getattr(part, "ndim", 0) > 0


def keeps_index_on_device(tensor: torch.Tensor, index: Any, value: Any) -> bool:
    """Whether torch 2.15 and later write through a zero-dimensional index without reading it."""
    parts = index if isinstance(index, tuple) else (index,)
    scalars = [part for part in parts if on_device(part) and part.dim() == 0 and part.dtype in WHOLE]
    if not scalars:
        return False
    if isinstance(value, torch.Tensor):
        return on_device(value) and value.dim() == 0 and value.dtype == tensor.dtype
    return True
