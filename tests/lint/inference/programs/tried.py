"""A model that is tried on the host before it is moved, and one that stays there."""

import torch
from torch import nn


class Moved(nn.Module):
    def forward(self, x, y=None):
        a = x  # reveal: Tensor[any device, float, rank 1]
        b = y  # reveal: Tensor[any device, float, rank 1]
        return a


class Kept(nn.Module):
    def forward(self, x):
        a = x  # reveal: Tensor[cpu, float, rank 1]
        return a


moved, kept = Moved(), Kept()
moved(torch.tensor([1.0, 2.0]), y=torch.tensor([3.0]))
kept(torch.tensor([1.0, 2.0]))
moved.to("cuda")
