"""Tensors of the host on the memory of the emulated device, which is memory of the host."""

from __future__ import annotations

from typing import Any

import torch

_HOST = torch.device("cpu")
_storage_at: Any = torch._C._construct_storage_from_data_pointer


def is_on_device(value: object) -> bool:
    """Whether a value is a tensor in the device's memory."""
    return isinstance(value, torch.Tensor) and value.is_cuda


def host_view(tensor: torch.Tensor) -> torch.Tensor:
    """A strided tensor of the host on the same memory."""
    storage = tensor.untyped_storage()
    address = storage.data_ptr()
    if not address:
        return torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device=_HOST)
    view = torch.empty(0, dtype=tensor.dtype, device=_HOST)
    view.set_(_storage_at(address, _HOST, storage.nbytes()), tensor.storage_offset(), tensor.size(), tensor.stride())
    if tensor.is_conj():
        view = torch._conj(view)
    if tensor.is_neg():
        view = torch._neg_view(view)
    return view


def write(tensor: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Put values of the host into a tensor of the device, which takes their shape."""
    if tensor.size() != values.size():
        tensor.resize_(values.size())
    if values.numel():
        host_view(tensor).copy_(values)
    return tensor


def new(values: torch.Tensor) -> torch.Tensor:
    """A tensor of the device like one of the host."""
    made = torch.empty_strided(values.size(), values.stride(), dtype=values.dtype, device="cuda")
    return write(made, values)
