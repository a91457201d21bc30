"""CPU tensors on the memory of the emulated device, which is host memory."""

from __future__ import annotations

from typing import Any

import torch

_HOST = torch.device("cpu")
_storage_at: Any = torch._C._construct_storage_from_data_pointer


def is_on_device(value: object) -> bool:
    """Whether a value is a tensor in the device's memory."""
    return isinstance(value, torch.Tensor) and value.is_cuda


def host_view(tensor: torch.Tensor) -> torch.Tensor:
    """Return a strided CPU tensor on the same memory."""
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


def on_host(tensor: torch.Tensor) -> torch.Tensor:
    """The same tensor on the host; its parts are on the same memory."""
    if tensor.layout == torch.strided:
        return host_view(tensor)
    if tensor.layout == torch.sparse_coo:
        return _coo(host_view(tensor._indices()), host_view(tensor._values()), tensor.size(), tensor.is_coalesced())
    return _compressed(tensor, [host_view(part) for part in _parts(tensor)])


def _parts(tensor: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    if tensor.layout in (torch.sparse_csr, torch.sparse_bsr):
        return tensor.crow_indices(), tensor.col_indices(), tensor.values()
    return tensor.ccol_indices(), tensor.row_indices(), tensor.values()


def _coo(indices: torch.Tensor, values: torch.Tensor, size: torch.Size, is_coalesced: bool) -> torch.Tensor:
    return torch.sparse_coo_tensor(
        indices, values, size, device=values.device, check_invariants=False, is_coalesced=is_coalesced
    )


def _compressed(like: torch.Tensor, parts: list[torch.Tensor]) -> torch.Tensor:
    outer, inner, values = parts
    return torch.sparse_compressed_tensor(
        outer, inner, values, like.size(), layout=like.layout, device=values.device, check_invariants=False
    )


def write(tensor: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Copy CPU values into a device tensor, which takes their shape."""
    if tensor.size() != values.size():
        tensor.resize_(values.size())
    if values.numel():
        host_view(tensor).copy_(values)
    return tensor


def new(values: torch.Tensor) -> torch.Tensor:
    """Return a device tensor like a CPU tensor."""
    if values.layout == torch.sparse_coo:
        return _coo(new(values._indices()), new(values._values()), values.size(), values.is_coalesced())
    if values.layout != torch.strided:
        return _compressed(values, [new(part) for part in _parts(values)])
    made = torch.empty_strided(values.size(), values.stride(), dtype=values.dtype, device="cuda")
    return write(made, values)
