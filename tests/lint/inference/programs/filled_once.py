"""What is computed where it is missing: behind a condition inside another one, or under a name of the module."""

import torch
from torch import nn

window = None
best = None


class Positions(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.table = None

    def extend(self, x):
        if self.table is not None:
            if self.table.size(1) >= x.size(1):
                if self.table.device != x.device:
                    self.table = self.table.to(x.device)
                return
        table = torch.zeros(x.size(1), self.size)
        self.table = table.to(x.device)  # frequency: once

    def checked(self, x):
        if self.table is not None:
            if self.table.size(1) >= x.size(1):
                return x
        return x + torch.zeros(x.size(1)).to(x.device)  # frequency: every step

    def forward(self, x):
        self.extend(x)
        return self.checked(x + self.table)


def weighted(x: torch.Tensor):
    global window
    if window is None:
        window = torch.arange(5).to(x.device)  # frequency: once
    return (x * window).sum()


def compared(x: torch.Tensor):
    if best is None:
        return x.sum().item()  # frequency: every step
    return x


def local(x: torch.Tensor, scale=None):
    if scale is None:
        scale = torch.ones(5).to(x.device)  # frequency: every step
    return x * scale


def train(batches, optimizer):
    positions = Positions(3).cuda()
    for batch in batches:
        loss = local(compared(weighted(positions(batch.cuda()))))
        loss.backward()
        optimizer.step()
