"""An attribute that one branch binds is on the other what it was before: a table that was moved is on the device."""

import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.table = torch.arange(size)
        self.mask = torch.zeros(size) > 0

    def forward(self, x: torch.Tensor):
        if self.table is None or x.shape[1] > self.table.size(0):
            self.table = torch.arange(x.shape[1])
        table = self.table  # reveal: Tensor[any device, int|float|complex, rank 1]
        self.table = table.to(x.device)
        return self.table[: x.shape[1]]

    def masked(self, x: torch.Tensor, size: int):
        if size > 3:
            self.mask = torch.zeros(size, device="cuda") > 0
        known = self.mask  # reveal: Tensor[any device, bool, rank 1]
        return x * known


class Buffers:
    def __init__(self, size: int):
        self.size = size

    def grow(self, size: int):
        if size > self.size:
            self.rows = torch.zeros(size, device="cuda")
        rows = self.rows  # reveal: Tensor[gpu, float, rank 1]
        return rows
