"""Containers and functions of Python's standard library that hold and hand on tensors."""

import contextlib
import functools
import itertools
import operator
import random
from collections import defaultdict, deque

import hydra
import torch

x = torch.ones(3, device="cuda")


def queues() -> None:
    last = deque(maxlen=10)
    last.append(x)
    a = last[-1]  # reveal: Tensor[gpu, float, rank 1]


def dicts_with_defaults(names: list[str]) -> None:
    lists = defaultdict(list)
    totals = defaultdict(float)
    for name in names:
        lists[name].append(x)
        totals[name] += x.sum()
    for name, values in lists.items():
        a = values[0]  # reveal: Tensor[gpu, float, rank 1]
    for name, total in totals.items():
        b = total  # reveal: float | Tensor[gpu, float, rank 0]
    lists["all"].append(x)
    c = lists["all"][0]  # reveal: Tensor[gpu, float, rank 1]
    made = defaultdict(lambda: torch.zeros(3, device="cuda"))
    d = made["x"]  # reveal: Tensor[gpu, float, rank 1]


def iterators() -> None:
    for each in itertools.chain([x], [x]):
        a = each  # reveal: Tensor[gpu, float, rank 1]
    for each in itertools.chain.from_iterable([[x], [x]]):
        b = each  # reveal: Tensor[gpu, float, rank 1]
    for one, other in itertools.product([x], [1, 2]):
        c = one  # reveal: Tensor[gpu, float, rank 1]
    for each in itertools.islice([x, x], 1):
        d = each  # reveal: Tensor[gpu, float, rank 1]


def reduced() -> None:
    a = functools.reduce(torch.add, [x, x])  # reveal: Tensor[gpu, float, rank 1]
    b = functools.reduce(lambda one, other: one & other, [x > 0, x > 1])  # reveal: Tensor[gpu, bool, rank 1]


def what_is_chosen_or_made(cfg) -> None:
    a = random.sample([x, x], 1)[0]  # reveal: Tensor[gpu, float, rank 1]
    b = random.choice([x, x])  # reveal: Unknown
    c = operator.add(x, x)  # reveal: Unknown
    d = hydra.utils.instantiate(cfg.model)  # reveal: Unknown
    with contextlib.nullcontext(x) as e:
        f = e  # reveal: Unknown
