"""What the annotations of functions promise where their bodies tell nothing, and properties that have setters."""

from typing import Optional

from torch import Tensor


class Data:
    def __init__(self, store):
        self.store = store

    @property
    def edges(self) -> Optional[Tensor]:
        return self.store["edges"] if "edges" in self.store else None

    @edges.setter
    def edges(self, edges):
        self.store["edges"] = edges

    @property
    def weights(self) -> Tensor | None:
        return None

    def width(self) -> Optional[int]:
        return self.store.width


def step(data: Data):
    edges = data.edges  # reveal: Tensor[any device] | None
    weights = data.weights  # reveal: None
    width = data.width()  # reveal: Unknown
    return edges, weights, width


class Clock:
    @property
    def time(self):
        return self.now

    @time.setter
    def time(self, time):
        self.now = time + 1  # frequency: every step

    @property
    def never(self):
        return self.now

    @never.setter
    def never(self, time):
        self.now = time  # frequency: unknown


def training_step(batch, clock: Clock):
    clock.time = batch.cuda()
    return clock.time, clock.never
