"""Attributes that a class binds once, and others bind as well, on its objects."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.temperature = None
        self.scale = 2.0

    def forward(self, x):
        self.scale  # reveal: float 2.0
        if self.temperature > 1:  # operation: Truth
            x = x * self.temperature
        return self.linear(x)


def build():
    net = Net()
    net.temperature = torch.ones((), device="cuda")
    if net.scale == 2.0:
        net.linear.requires_grad_(False)
    return net(torch.ones(3, 3, device="cuda"))
