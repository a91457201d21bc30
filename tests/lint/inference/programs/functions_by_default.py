"""Functions and classes that a parameter is by default, called where no caller passes another."""

import elsewhere
import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, width, norm=nn.LayerNorm, act=nn.GELU, encode=elsewhere.encode):
        super().__init__()
        self.norm = norm(width)
        self.act = act()
        self.encode = encode

    def forward(self, x):
        self.norm(x)  # reveal: Tensor[any device]
        self.act(self.norm(x))  # reveal: Tensor[any device]
        return self.encode(x)  # reveal: Unknown


def activated(x: torch.Tensor, act=F.relu):
    act(x)  # reveal: Tensor[any device]


def encoded(kinds, encode=F.one_hot):
    if encode(kinds).any():  # operation: Call, Truth
        return 1
    return 0


def chosen(x: torch.Tensor, act=F.relu):
    act(x)  # reveal: Unknown


def choose(x: torch.Tensor):
    chosen(x, elsewhere.act)
