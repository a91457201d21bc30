"""Attributes across the methods of a class."""

import torch
import torchmetrics
from torch import nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    scale = 2

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.register_buffer("mean", torch.zeros(3))
        self.weight = nn.Parameter(torch.ones(3))
        self.table = torch.zeros(3)
        self.width = width
        self.best = 0.0
        self.layers = nn.ModuleList([nn.Linear(3, 3)])

    def forward(self, x):
        h = self.layer(x)  # reveal: Tensor[gpu]
        m = self.mean  # reveal: Tensor[any device, float, rank 1]
        w = self.weight  # reveal: Tensor[any device, float, rank 1]
        t = self.table  # reveal: Tensor[cpu, float, rank 1]
        if self.width > 3:  # operation: none
            pass
        if self.best > 3:  # operation: Truth
            pass
        self.best = h.mean()
        if self.best > 3:  # operation: Truth
            pass
        return self.head(h)

    def head(self, h):
        if h.sum() > 0:  # operation: Truth # frequency: every step
            return h
        return -h


class Child(Net):
    def forward(self, x):
        y = self.layer(x)  # reveal: Tensor[gpu]
        return super().forward(y)


def train(data) -> None:
    model, child = Net(3).cuda(), Child(3).cuda()
    loader = DataLoader(data, pin_memory=True)
    for images, labels in loader:
        child(images.cuda())
        a = images  # reveal: Batch[cpu, pinned]
        labels = labels.cuda(non_blocking=True)
        out = model(images.cuda())  # reveal: Tensor[gpu]
        if (out.argmax(1) == labels).all():  # operation: Truth # frequency: every step
            pass


class Scheduler:
    def set_steps(self, device, karras: bool) -> None:
        self.sigmas = torch.linspace(0, 1, 10).to("cuda")
        if karras:
            self.sigmas = self.sigmas.flip(0)
        self.sigmas = self.sigmas.to("cpu")

    def step(self, sample: torch.Tensor):
        sigma = self.sigmas[0]  # reveal: Tensor[cpu, float]
        return sample * sigma


class Counting(torchmetrics.Metric):
    def __init__(self):
        super().__init__()
        self.add_state("total", default=torch.tensor(0), dist_reduce_fx="sum")
        self.add_state(name="seen", default=torch.tensor(0.0))

    def compute(self):
        total = self.total  # reveal: Tensor[any device, int, rank 0]
        seen = self.seen  # reveal: Tensor[any device, float, rank 0]
        return seen / total


class Filtering(nn.Module):
    def __init__(self, kind: str):
        super().__init__()
        filter = torch.ones(3) if kind == "box" else window(3)
        self.register_buffer("filter", filter)

    def forward(self, x):
        kernel = self.filter  # reveal: Tensor[any device]
        return x * kernel


def window(size: int) -> torch.Tensor:
    return torch.hann_window(size)
