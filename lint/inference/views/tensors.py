"""Questions of rules about one value: whether it is a tensor, a mask, a single element, a number, and where it is."""

from __future__ import annotations

from typing import TypeGuard

from ...finding import Confidence
from ...limits import LARGEST_NUMBER, MOST_RANK
from ..values import certainty
from ..values.joining import join_all
from ..values.lattice import BOOL, FLOAT, GPU, INT, OPEN, SCALAR, UINT8, Device, rank_flags
from ..values.union import UNKNOWN, Batch, Host, Sequence, Tensor, Value, options_of

NUMBERS = frozenset(("int", "float", "bool"))
"""Kinds of host values that are numbers."""
MASKS = BOOL | UINT8

_KNOWN_RANKS = {rank_flags(rank) for rank in range(1, MOST_RANK)}


def confidence_of(*values: Value) -> Confidence | None:
    """Return the confidence that reading these values waits for the device; None if none of them can be on it."""
    return certainty.of(values)


def may_be_tensor(value: Value) -> bool:
    """Whether a tensor is among what the value may be."""
    return any(isinstance(option, Tensor) for option in options_of(value))


def on_host(value: Value) -> bool:
    """Whether the value is a tensor that is certainly on the host."""
    return isinstance(value, Tensor) and value.device.on_cpu


def on_gpu(value: Value) -> bool:
    """Whether the value is a tensor that is certainly on the GPU."""
    return isinstance(value, Tensor) and value.device.on_gpu


def is_mask(value: Value) -> bool:
    """Whether the value is a boolean (or uint8) tensor."""
    tensors = [option for option in options_of(value) if isinstance(option, Tensor)]
    return bool(tensors) and all(not tensor.dtype & ~MASKS for tensor in tensors)


def as_mask(value: Value) -> Value:
    """Return a mask with what is no tensor as unknown: nothing is selected by a bool, which `None == 1` may be."""
    return join_all(option if isinstance(option, Tensor | Batch) else UNKNOWN for option in options_of(value))


def is_number(value: Value) -> TypeGuard[Host]:
    """Whether the value is a number of Python."""
    return isinstance(value, Host) and value.kind in NUMBERS


def may_be_number(value: Value) -> bool:
    """Whether a number of Python, none that is written there, is among what the value may be."""
    return any(is_number(option) and option.constant is ... for option in options_of(value))


def is_scalar(value: Value) -> bool:
    """Whether the value is a tensor that certainly has no dimensions."""
    return isinstance(value, Tensor) and value.rank == SCALAR


def may_be_scalar(value: Value) -> bool:
    """Whether the value is a tensor that may have no dimensions."""
    return isinstance(value, Tensor) and bool(value.rank & SCALAR)


def is_scalar_position(value: Value) -> bool:
    """Whether the value may be a tensor without dimensions that is not certainly a mask."""
    return any(is_scalar(option) and not _is_mask_itself(option) for option in options_of(value))


def is_position(value: Value) -> bool:
    """Whether the value is a tensor of positions that has, or may have, at least one dimension."""
    return isinstance(value, Tensor) and not value.dtype & MASKS and value.rank != SCALAR


def may_list_positions(value: Value) -> bool:
    """Whether the value is a tensor, perhaps of positions, that certainly has at least one dimension."""
    return isinstance(value, Tensor) and bool(value.dtype & INT) and not value.rank & SCALAR


def may_be_mask(value: Value) -> bool:
    """Whether the value is a tensor that may be boolean (or uint8)."""
    return isinstance(value, Tensor) and bool(value.dtype & MASKS)


def has_rank(value: Value, rank: int) -> bool:
    """Whether the value is a tensor that certainly has so many dimensions."""
    return isinstance(value, Tensor) and value.rank == rank_flags(rank)


def is_floating(value: Value) -> bool:
    """Whether the value is a tensor of floating-point numbers."""
    return isinstance(value, Tensor) and value.dtype == FLOAT


def may_be_floating(value: Value) -> bool:
    """Whether the value is a tensor that may hold floating-point numbers."""
    return isinstance(value, Tensor) and bool(value.dtype & FLOAT)


def is_integral(value: Value) -> bool:
    """Whether the value is a tensor of integers."""
    return isinstance(value, Tensor) and value.dtype == INT


def is_boolean(value: Value) -> bool:
    """Whether the value is a tensor of booleans."""
    return isinstance(value, Tensor) and value.dtype == BOOL


def have_one_rank(*values: Value) -> bool:
    """Whether all are tensors that certainly have the same number of dimensions, which is at least one."""
    ranks = {value.rank if isinstance(value, Tensor) else 0 for value in values}
    return len(ranks) == 1 and ranks <= _KNOWN_RANKS


def is_seen_as_tensor(value: Value) -> bool:
    """Whether the value is a tensor because of where it came from, not only because of how it is used."""
    return isinstance(value, Tensor) and not value.by_use


def is_written_number(value: Value) -> bool:
    """Whether the value is a number that the source shows, and that every dtype of floats can hold."""
    return is_number(value) and isinstance(value.constant, int | float) and abs(value.constant) <= LARGEST_NUMBER


def items_of(value: Value) -> tuple[Value, ...]:
    """Return the items of a list or dict, or what stands for each of them; the value itself if it is neither."""
    if not isinstance(value, Sequence):
        return (value,)
    return (value.element,) if value.items is None else value.items


def tensor_on(device: Device | None = None) -> Tensor:
    """Return a tensor on a device, or on one that is not known."""
    return Tensor(device or OPEN)


def _is_mask_itself(value: Value) -> bool:
    return isinstance(value, Tensor) and not value.dtype & ~MASKS


GPU_DEVICE = Device(GPU)
"""The device that `cuda` names."""
