"""Functions and objects that are handed to functions that call them: each runs where that call is made."""

from collections.abc import Callable
from functools import partial

import torch
from torch.utils.data import DataLoader


class Checks:
    active = False


def checked(x: torch.Tensor, check: Callable[[torch.Tensor], None]):
    if not Checks.active:
        return
    check(x)


def is_normed(x):
    print(x.max())  # where: Checks.active
    return x  # reveal: Tensor[gpu]


def each_twice(run, x):
    for _ in range(2):
        run(x)
    return run(x)


def doubled(x):
    return x * 2  # frequency: every pass of a loop in a step


def evaluated(x):
    return x * 3  # frequency: evaluation


def scaled(x, factor):
    return x * factor  # reveal: Tensor[gpu, int|uint8|float|complex]


class Meter:
    def __call__(self, value):
        return value.item()  # frequency: every step


class Difference:
    def __call__(self, outputs, targets):
        targets  # reveal: Batch[gpu]
        return (outputs - targets).mean()


def make_criterion():
    return Difference()


def measured(meter, value, deep):
    if deep:
        meter(value)


def summed(value):
    return value.sum()  # where: deep


class Trainer:
    def __init__(self, criterion, *, finish):
        self.criterion = criterion
        self.finish = finish

    def train(self, loader: DataLoader):
        model = torch.nn.Linear(2, 2).cuda()
        for x in loader:
            x = x.cuda()
            self.criterion(model(x), x).backward()
            if self.last:
                self.finish(x)


def finished(x):
    return x + 1  # where: self.last


def fit(loader: DataLoader, criterion, options):
    model = torch.nn.Linear(2, 2).cuda()
    for x in loader:
        x = x.cuda()
        checked(x, is_normed)
        each_twice(doubled, x)
        y = each_twice(partial(scaled, factor=2), x)
        y  # reveal: Tensor[gpu, int|uint8|float|complex]
        loss = criterion(model(x), x)
        loss.backward()
        measured(Meter(), loss, options.deep)
        measured(summed, loss, options.deep)


def evaluate(loader: DataLoader):
    for x in loader:
        each_twice(evaluated, x.cuda())


def main():
    loader = DataLoader([1])
    fit(loader, make_criterion(), unknown)
    evaluate(loader)
    Trainer(Difference(), finish=finished).train(loader)


main()
