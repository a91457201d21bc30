"""Classes of the program that are derived from tensors."""

import torch
from torch import Tensor


class Points(Tensor):
    def spread(self):
        a = self.max()  # reveal: Tensor[any device, rank 0]
        b = self.device  # reveal: device any device
        return self.largest()

    def largest(self):
        return self.abs().amax()

    def similar(self, others: "Points"):
        both = self * others
        if both.isnan().any():  # frequency: every step (assumed)
            both = both.nan_to_num()
        return both.sum()


class Marked(Points):
    def marked(self):
        return self.sum().item()  # frequency: every step (assumed)

    def tolist(self):
        return self.as_subclass(Tensor).tolist()  # frequency: unknown

    @classmethod
    def of(cls, numbers):
        return cls(torch.ones(numbers))  # frequency: unknown

    def __repr__(self):
        return f"Marked({self.amax()})"  # frequency: once


def of_others(points: Points) -> None:
    a = points.sum()  # reveal: Tensor[any device, int|float|complex, rank 0]
    b = points.spread()  # reveal: Tensor[any device, float, rank 0]

