"""Tuples whose items have names."""

import collections
from collections import namedtuple

import torch

Step = namedtuple("Step", ("state", "action"))
Pair = collections.namedtuple("Pair", "left, right")


def made(names) -> None:
    values = torch.ones(3, device="cuda")
    step = Step(values, 3)
    a = step.state  # reveal: Tensor[gpu, float, rank 1]
    b = step.action  # reveal: int 3
    c = step[0]  # reveal: Tensor[gpu, float, rank 1]
    d, e = step
    f = d  # reveal: Tensor[gpu, float, rank 1]
    g = e  # reveal: int 3
    h = step._replace(action=values).action  # reveal: Tensor[gpu, float, rank 1]
    i = step.unknown  # reveal: Unknown
    pair = Pair(right=values)
    j = pair.right  # reveal: Tensor[gpu, float, rank 1]
    k = pair.left  # reveal: Unknown
    other = namedtuple("Other", names)(values)  # reveal: object


def unpacked(steps: list[Step]) -> None:
    ones = torch.ones(3, device="cuda")
    batch = Step(*zip(*[(ones, ones), (ones, ones)]))
    a = batch.action  # reveal: tuple[Tensor[gpu, float, rank 1]]
    b = torch.cat(batch.state)  # reveal: Tensor[gpu, float, rank≥1]


def kept() -> None:
    memory = []
    for _ in range(3):
        memory.append(Step(torch.ones(3, device="cuda"), 1))
    a = memory[0].state  # reveal: Tensor[gpu, float, rank 1]


def passed(step: Step) -> None:
    a = step.state  # reveal: Tensor[gpu, float, rank 1] | tuple[Tensor[gpu, float, rank 1]]


def passes() -> None:
    passed(Step(torch.ones(3, device="cuda"), 1))
