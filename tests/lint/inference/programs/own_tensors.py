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


def of_others(points: Points) -> None:
    a = points.sum()  # reveal: Tensor[any device, int|float|complex, rank 0]
    b = points.spread()  # reveal: Tensor[any device, float, rank 0]

