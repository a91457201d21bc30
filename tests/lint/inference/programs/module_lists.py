"""What is taken from containers of modules, and what calling it returns."""

import torch
from elsewhere import Head, combine
from torch import nn


class Pair(nn.Module):
    def forward(self, x):
        count = x.shape[0]
        return x, count


class Scale(nn.Module):
    def forward(self, x):
        return x * 2


class Opaque(nn.Module):
    """Nobody knows what it returns, but that it computes with what it is given."""

    def forward(self, x):
        return combine(x), x.shape[0], x.cpu(), []


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pairs = nn.ModuleList([Pair() for _ in range(3)])
        self.added = nn.ModuleList()
        for _ in range(3):
            self.added.append(Pair())
        self.named = nn.ModuleDict({"pair": Pair(), "scale": Scale()})
        self.others = nn.ModuleList([Head()])
        self.chain = nn.Sequential(nn.Linear(3, 3), Scale(), Pair())
        self.blocks = nn.Sequential(*[Scale() for _ in range(3)])
        self.of_others = nn.Sequential(Head(), Scale())
        self.opaque = Opaque()
        self.unknown = nn.ModuleList(load())

    def forward(self, x):
        for pair in self.pairs:
            given = pair(x)  # reveal: tuple[Tensor[gpu, float, rank 2], int]
        for at, pair in enumerate(self.added):
            given = pair(x)  # reveal: tuple[Tensor[gpu, float, rank 2], int]
        first = self.pairs[0]  # reveal: instance of module_lists.Pair
        rest = self.pairs[1:]  # reveal: instance of torch.nn.ModuleList
        given = rest[0](x)  # reveal: tuple[Tensor[gpu, float, rank 2], int]
        scaled = self.named["scale"](x)  # reveal: Tensor[gpu, float, rank 2]
        for name, module in self.named.items():
            module = module  # reveal: instance of module_lists.Pair | instance of module_lists.Scale
        for head in self.others:
            head = head  # reveal: instance of torch.nn.Module
            given = head(x)  # reveal: Batch[gpu]
        for each in self.unknown:
            given = each(x)  # reveal: Batch[gpu]
        computed = self.opaque(x)  # reveal: tuple[Batch[gpu], int, Tensor[cpu, float, rank 2], list[]]
        chained = self.chain(x)  # reveal: tuple[Tensor[gpu, int|uint8|float|complex], int]
        given = self.of_others(x)  # reveal: Tensor[gpu, int|uint8|float|complex]
        scaled = self.blocks(x)  # reveal: Tensor[gpu, float, rank 2]
        return first, given, scaled, chained


def load():
    return __import__("elsewhere").load()


def run(count):
    net = Net().cuda()
    for step in range(count):
        net(torch.randn(4, 3, device="cuda"))
