"""What is taken from iterators by hand."""

from itertools import cycle

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchdata.stateful_dataloader import StatefulDataLoader


class Endless:
    def __init__(self, dataset) -> None:
        self.loader = DataLoader(dataset, pin_memory=True)
        self.batches = iter(self.loader)

    def next(self):
        try:
            batch = next(self.batches)
        except StopIteration:
            self.batches = iter(self.loader)
            batch = next(self.batches)
        return batch


def train(dataset, model: nn.Module) -> None:
    batch = Endless(dataset).next()
    a = batch  # reveal: Batch[cpu, pinned]
    b = [each.to("cuda") for each in batch]  # reveal: list[Batch[gpu], …]
    c = next(iter(DataLoader(dataset)))  # reveal: Batch[cpu, pageable]
    d = next(nn.Linear(3, 4).cuda().parameters())  # reveal: Tensor[gpu, rank≥1]
    e = next(iter([1, 2]), None)  # reveal: int | None
    f = next(model.parameters()).device  # reveal: device any device
    g = next(iter(StatefulDataLoader(dataset, pin_memory=True)))  # reveal: Batch[cpu, pinned]


def by_hand(dataset) -> None:
    batches = iter(DataLoader(dataset, pin_memory=True))
    a = batches.next()  # reveal: Batch[cpu, pinned]
    b = batches.__next__()  # reveal: Batch[cpu, pinned]


def mapped(train_loader, model) -> None:
    for batch in train_loader:
        batch  # reveal: Batch[cpu]
        x, y = map(lambda each: each.float().to("cuda"), batch)
        y  # reveal: Tensor[gpu, float]
        model(x).sum().backward()


class ByName:
    def __init__(self, train_loader, steps_of) -> None:
        self.batches = iter(train_loader)
        self.again = cycle(train_loader)
        self.steps = iter(steps_of)

    def step(self, model) -> None:
        x, y = next(self.batches)
        y  # reveal: Batch[cpu]
        (model(x.to("cuda")) - y.to("cuda")).mean().backward()
        next(self.again)["x"]  # reveal: Batch[cpu]
        next(self.steps)  # reveal: Unknown


def endless(train_loader):
    batches = iter(train_loader)
    while True:
        try:
            batch = next(batches)
        except StopIteration:
            batches = iter(train_loader)
            batch = next(batches)
        yield batch.to("cuda")


def from_generator(loader, model, dataset) -> None:
    for batch in endless(loader):
        batch  # reveal: Batch[gpu]
        model(batch).sum().backward()
