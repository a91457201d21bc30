"""What the patterns of `match` bind, and what unions of dicts hold."""

from dataclasses import dataclass

import torch


@dataclass
class Pair:
    scores: torch.Tensor
    label: int


def sequences(given: tuple):
    x, y = torch.rand(3, device="cuda"), torch.zeros(3)
    match (x, y):
        case [a, b]:
            first, second = a, b
            return first, second  # reveal: tuple[Tensor[gpu, float, rank 1], Tensor[cpu, float, rank 1]]
    match [x, x, x]:
        case [c, *rest]:
            return c, rest  # reveal: tuple[Tensor[gpu, float, rank 1], list[Tensor[gpu, float, rank 1], …]]
    match given:
        case [d, 1] if d.is_cuda:
            return d  # reveal: Tensor[gpu]


def mappings():
    output = {"loss": torch.rand((), device="cuda"), "step": 3}
    match output:
        case {"loss": loss, "step": int(step)}:
            late = loss, step  # reveal: tuple[Tensor[gpu, float, rank 0], int 3]
            return late, loss.item()  # operation: Call
        case {"step": 3, **rest}:
            return rest  # reveal: dict[Tensor[gpu, float, rank 0] | int 3, …]


def classes(given):
    pair = Pair(torch.rand(3, device="cuda"), 1)
    match pair:
        case Pair(scores=scores, label=label):
            both = scores, label
            return both, pair.scores  # reveal: tuple[tuple[Tensor[any device], int], Tensor[any device]]
    match given:
        case torch.Tensor() as tensor:
            return tensor.sum()  # reveal: Tensor[any device, int|float|complex, rank 0]
        case Pair(scores, _) | [scores, _]:
            return scores
        case float(number):
            return number


def anything():
    match torch.rand(3, device="cuda"):
        case [a, b]:  # no tensor is a sequence
            return a, b
        case x:
            return x.sum()  # reveal: Tensor[gpu, float, rank 0]


def unions(unknown):
    x, mask = torch.rand(3, device="cuda"), torch.ones(3, dtype=torch.bool)
    batch = {"x": x, "n": 1}
    both = batch | {"mask": mask, "n": 2}
    a = both["x"]  # reveal: Tensor[gpu, float, rank 1]
    b = both["mask"]  # reveal: Tensor[cpu, bool, rank 1]
    c = both["n"]  # reveal: int 2
    unpacked = {**batch, "mask": mask}
    d = unpacked["x"]  # reveal: Tensor[gpu, float, rank 1]
    e = unpacked["mask"]  # reveal: Tensor[cpu, bool, rank 1]
    of_unknown = {**unknown, "x": x}
    f = of_unknown["x"].item()  # operation: Call
    batch |= {"y": x.sum()}
    g = batch["y"]  # reveal: Tensor[gpu, float, rank 0]
    return a, b, c, d, e, f, g


def loaded(dataset, key):
    for batch in torch.utils.data.DataLoader(dataset):
        moved = batch | {"mask": torch.ones(3, device="cuda")}
        a = moved["mask"]  # reveal: Tensor[gpu, float, rank 1]
        b = moved["x"]  # reveal: Batch[cpu, pageable]
        c = {**batch, key: 1}["x"]  # reveal: Batch[cpu, pageable] | int 1
        return a, b, c
