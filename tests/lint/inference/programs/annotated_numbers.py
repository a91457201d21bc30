"""An annotation that says `int` is believed, unless a caller is seen to pass a tensor."""

import numbers
from collections.abc import Iterable
from numbers import Number
from typing import Union

import numpy as np
import torch

Numbers = Union[Number, Iterable[Number]]


def believed(step: int, scale: float = 1.0):
    step  # reveal: int 3
    if step > 3:  # operation: none
        return scale


def overridden(t: int, pos: np.ndarray | int):
    t  # reveal: Tensor[gpu, int, rank 0]
    if t > 0:  # operation: Truth
        pass
    if isinstance(pos, int):
        pos = torch.arange(pos)
    if isinstance(pos, np.ndarray):
        pos = torch.from_numpy(pos)
    return torch.outer(pos, torch.ones(3, device=pos.device))


def main():
    for t in torch.arange(9, device="cuda"):
        out = overridden(t, torch.ones(3, device="cuda"))
        out  # reveal: Tensor[any device, float|complex, rank≥1]
    believed(3)


def scaled(x: torch.Tensor, h: float):
    y = -h * torch.log(x)  # reveal: Tensor[any device, float|complex]
    return y


def use_scaled(x: torch.Tensor):
    return scaled(x, 0.5)


def made_of(value: float = 0.0):
    made = torch.tensor(value)
    made  # reveal: Tensor[cpu]
    return made


made_of(1)
made_of(2.5)


def with_keywords(*inputs, record=False, **more):
    record  # reveal: bool
    if record:  # operation: none
        return inputs


def use_with_keywords(x: torch.Tensor):
    with_keywords(x, x)
    with_keywords(x, record=True)


def of_any_kind(x: torch.Tensor, scale: Number, several: Numbers, at: numbers.Integral):
    scale  # reveal: int | float
    several  # reveal: int | float | iter[int | float, …]
    at  # reveal: int


def tested_for_numbers(given: int | torch.Tensor, other: float | torch.Tensor, unknown):
    if isinstance(given, Number):
        given  # reveal: int
    else:
        given  # reveal: Tensor[any device]
    if isinstance(other, int | float):
        other  # reveal: float
    if isinstance(unknown, (numbers.Real, bool)):
        unknown  # reveal: int | float | bool
