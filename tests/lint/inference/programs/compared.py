"""What is compared, or inverted, and selects entries is a mask: lists and dicts take none."""

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def forward(self, x, batch):
        y = self.inner(x)
        y[batch["mask"] > 0]  # operation: Index
        y[~batch["left"]]  # operation: Index
        chosen = batch["ids"] != 0
        ids = batch["names"]
        ids[chosen]  # operation: Index
        a = ids  # reveal: Tensor[any device]
        rows = batch["rows"]
        rows[batch["at"]]
        b = rows  # reveal: Unknown
        c = y[(batch["ids"] > 0) & (batch["ids"] < 9)].sum()  # operation: Index
        return a, b, c
