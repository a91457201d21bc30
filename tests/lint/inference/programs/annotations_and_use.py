"""What is called on a value says more than what is written about it."""

from typing import Any, Dict

import torch
from torch import Tensor
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


def masked(loader, model) -> None:
    model.cuda()
    for batch in torch.utils.data.DataLoader(loader):
        out = model(batch["x"].cuda())
        kept = out[batch["mask"]]  # operation: Index
        taken = out[batch["rows"]]  # operation: Index
