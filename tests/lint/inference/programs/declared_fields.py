"""Fields and attributes that only others fill: what their annotation promises counts."""

from dataclasses import dataclass, field
from typing import Optional

import torch
from torch import Tensor


@dataclass
class State:
    x: Tensor
    mask: Optional[Tensor] = None
    total: Tensor = None
    parts: list[Tensor] = field(default_factory=list)
    by_name: dict[str, Tensor] = field(default_factory=dict)
    steps: Optional[int] = None

    def of_itself(self) -> None:
        a = self.mask  # reveal: Tensor[any device] | None
        if self.mask is not None and self.mask.any():
            b = self.total.sum()  # reveal: Tensor[any device, int|float|complex, rank 0]


def of_others(state: State) -> None:
    a = state.mask  # reveal: Tensor[any device] | None
    b = state.parts[0]  # reveal: Tensor[any device]
    c = state.by_name["x"]  # reveal: Tensor[any device]
    d = state.steps  # reveal: None
    for part in state.parts:
        e = part  # reveal: Tensor[any device]


class Cache:
    shared: Optional[Tensor] = None

    def __init__(self) -> None:
        self.filled: Optional[Tensor] = None
        self.kept: Optional[Tensor] = None
        self.known: Optional[Tensor] = None
        self.known = torch.ones(3, device="cuda")

    def keep(self) -> None:
        self.kept = torch.ones(3, device="cuda")

    def read(self) -> None:
        a = self.filled  # reveal: Tensor[any device] | None
        b = self.kept  # reveal: None | Tensor[gpu, float, rank 1]
        c = self.known  # reveal: Tensor[gpu, float, rank 1]
        d = self.shared  # reveal: Tensor[any device] | None
