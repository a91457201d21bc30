"""What is called on a value says more than what is written about it."""

from collections.abc import Iterator
from typing import Any, Dict

import torch
from torch import Tensor
from torch.utils.data import DataLoader
from torchtyping import TensorType


def train(losses: dict[str, float], count: int, logs: Dict, state: Dict[str, Any]) -> None:
    losses["total"].backward()
    a = losses["total"]  # reveal: Tensor[any device]
    b = losses["other"]  # reveal: float
    c = count.sum(dim=0) + count  # reveal: Tensor[any device, int|uint8|float|complex]
    logs["loss"].backward()
    d = logs["loss"]  # reveal: Tensor[any device]
    state["loss"].backward()
    e = state["loss"]  # reveal: Tensor[any device]
    f = state["step"]  # reveal: Unknown
    g = losses["rate"].is_integer()  # reveal: object


def typed(x: TensorType["batch", 3]) -> None:
    a = x + 1  # reveal: Tensor[any device, int|uint8|float|complex]


def told_by_its_default(x: Tensor, only_features: Tensor = True, scale: Tensor = 1.0) -> None:
    f = only_features  # reveal: bool
    g = scale  # reveal: Tensor[any device]


def masked(loader, model) -> None:
    model.cuda()
    for batch in torch.utils.data.DataLoader(loader):
        out = model(batch["x"].cuda())
        kept = out[batch["mask"]]  # operation: Index
        taken = out[batch["rows"]]  # operation: Index


class Assigned:
    items: Iterator[dict[str, Any]]
    others: Iterator[dict[str, Any]]

    def start(self, data) -> None:
        self.items = iter(DataLoader(data, pin_memory=True))

    def use(self) -> None:
        a = next(self.items)  # reveal: Batch[cpu, pinned]
        b = next(self.others)  # reveal: dict[Unknown, …]
