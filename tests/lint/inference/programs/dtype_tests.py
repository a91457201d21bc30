"""What a test of a dtype tells of the tensor, in its branches and behind them."""

import torch
from torch import Tensor


def branches(mask: Tensor, x: Tensor, given):
    if mask.dtype == torch.bool:
        mask  # reveal: Tensor[any device, bool]
    else:
        mask  # reveal: Tensor[any device, int|uint8|float|complex]
    if x.dtype != torch.float32:
        x  # reveal: Tensor[any device]
    elif x.is_floating_point():
        x  # reveal: Tensor[any device, float]
    if x.dtype in (torch.bool, torch.uint8):
        x  # reveal: Tensor[any device, bool|uint8]
    if given.dtype is torch.bool:
        given  # reveal: Tensor[any device, bool]
    if torch.is_complex(x):
        x  # reveal: Tensor[any device, complex]


def behind(mask: Tensor, other: Tensor, index: Tensor):
    if index.dtype == torch.bool:
        return index.nonzero()
    index  # reveal: Tensor[any device, int|uint8|float|complex]
    if not (mask.dtype == torch.bool and other.dtype == torch.bool):
        raise ValueError
    both = mask & ~other  # reveal: Tensor[any device, bool]
    return both, index


def of_two(nodes: Tensor | list, size: int):
    if not isinstance(nodes, Tensor):
        nodes = torch.tensor(nodes, device="cuda")
    if nodes.dtype != torch.bool:
        chosen = selected(nodes, size)
    else:
        chosen = nodes
    kept = chosen[0] & chosen[1]  # reveal: Tensor[any device, bool]
    return kept


def selected(nodes: Tensor, size: int) -> Tensor:
    mask = nodes.new_zeros(size, dtype=torch.bool)
    mask[nodes.view(-1)] = True
    return mask


def not_of_that_dtype(x: Tensor, wanted: torch.dtype):
    if x.dtype == wanted:
        x  # reveal: Tensor[any device]
    if x.dtype not in (torch.int64, torch.bool):
        x  # reveal: Tensor[any device, int|uint8|float|complex]
