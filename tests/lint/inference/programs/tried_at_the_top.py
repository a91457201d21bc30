"""A script that tries a module on the host which a configuration may choose, and others may move to a device."""

import torch
from torch import nn

from registry import MODELS


@MODELS.register("net")
class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("scales", torch.ones(width))

    def forward(self, x, at):
        a = self.scales[at]  # reveal: Tensor[any device, float]
        b = at  # reveal: Tensor[any device, int, rank 1]
        return a


class Plain(nn.Module):
    def __init__(self, width):
        super().__init__()

    def forward(self, x):
        a = x  # reveal: Tensor[cpu, float, rank 1]
        return a


net, plain = Net(8), Plain(8)
net(torch.ones(3), torch.tensor([1, 2]))
plain(torch.ones(3))
