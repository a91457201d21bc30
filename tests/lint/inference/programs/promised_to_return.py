"""What is annotated as something to be called gives what the annotation promises, if no caller is seen to tell."""

from collections.abc import Callable, Iterable, Mapping
from typing import Optional

import torch
from torch import BoolTensor, Tensor

Case = tuple[Callable[[], BoolTensor], Callable[[BoolTensor], Tensor]]


def dispatch(out: Tensor, cases: Iterable[Case]) -> Tensor:
    for applies, function in cases:
        mask = applies()  # reveal: Tensor[any device, bool]
        function(mask)  # reveal: Tensor[any device]
        if mask.any():  # operation: Truth
            out[mask] = function(mask)  # operation: IndexWrite
    return out


def activated(x: Tensor, act: Callable[[Tensor], Tensor], pair: Callable[[Tensor], tuple[Tensor, float]]):
    act(x.cuda())  # reveal: Tensor[gpu]
    act(x.cpu())  # reveal: Tensor[cpu]
    pair(x.cuda())  # reveal: tuple[Tensor[gpu], float]


def numbered(count: Callable[[], int], any_one: Callable, spread: Callable[..., Tensor] = torch.relu):
    count()  # reveal: Unknown
    any_one()  # reveal: Unknown
    spread()  # reveal: Tensor[any device]


def optional(make: Optional[Callable[[], Tensor]] = None, table: Mapping[str, Callable[[], Tensor]] = {}):
    make()  # reveal: Tensor[any device]
    table["first"]()  # reveal: Tensor[any device]


def _given(make: Callable[[], Tensor]):
    make()  # reveal: Tensor[gpu, float, rank 1]


_given(lambda: torch.ones(2, device="cuda"))
