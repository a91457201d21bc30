"""Meters and the like: objects that a container holds under names, and what is given for `**keywords`."""

from collections import defaultdict

import torch


class Meter(object):  # noqa: UP004 - all that derives from it is not of one family
    def synchronize(self):
        total = torch.tensor([1.0, 2.0], device="cuda")
        return total.tolist()  # frequency: every epoch

    def update(self, value):
        value  # reveal: float
        return value  # frequency: every pass of a loop in a step


class Meters(object):  # noqa: UP004
    def __init__(self):
        self.meters = defaultdict(Meter)

    def update(self, **values):
        for name, value in values.items():
            value  # reveal: float
            if isinstance(value, torch.Tensor):
                value = value.item()
            self.meters[name].update(value)

    def synchronize(self):
        for meter in self.meters.values():
            meter.synchronize()


class Either:
    def update(self, **values):
        for value in values.values():
            value  # reveal: Tensor[gpu, float, rank 0] | float 0.1

    def update_some(self, *, at, **values):
        at  # reveal: int
        for value in values.values():
            value  # reveal: float 0.1

    def update_all(self, **values):
        for value in values.values():
            value  # reveal: Unknown


class Part:
    def refresh(self, x: torch.Tensor):
        return x.max().item()  # frequency: every epoch

    def rescale(self, x: torch.Tensor):
        return x.max().item()  # frequency: every N steps


class Parts:
    def __init__(self, names):
        self.listed = [Part(), Part()]
        self.named = {name: Part() for name in names}

    def refresh_all(self, x):
        for part in self.listed:
            part.refresh(x)

    def rescale_one(self, name, x):
        self.named[name].rescale(x)


def train(loader, model, optimizer, losses: dict, parts: Parts):
    meters, either = Meters(), Either()
    for _epoch in range(9):
        for i, x in enumerate(loader):
            loss = model(x.to("cuda")).float().sum()
            loss.backward()
            optimizer.step()
            meters.update(loss=loss.item(), lr=0.1)
            either.update(loss=torch.ones(3, device="cuda").sum(), lr=0.1)
            either.update_some(at=i, lr=0.1)
            either.update_all(lr=0.1, **losses)
            if i % 10 == 0:
                parts.rescale_one("a", x)
        meters.synchronize()
        parts.refresh_all(x)


class Smoothed:
    def put(self, value):
        value  # reveal: Tensor[gpu, float, rank 0]


class Lasting:
    def put(self, value):
        value  # reveal: Tensor[gpu, float, rank 0]


class Resettable:
    def __init__(self):
        self.meters = defaultdict(Smoothed)
        self.others = defaultdict(lambda: Lasting())

    def reset(self):
        self.meters = defaultdict(Smoothed)

    def put(self, name, value):
        self.meters[name].put(value)
        self.others[name].put(value)


def fill(loader):
    log = Resettable()
    for batch in loader:
        log.put("loss", torch.ones(3, device="cuda").sum())
    log.reset()
