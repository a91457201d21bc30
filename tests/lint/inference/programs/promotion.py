"""Dtypes of results, where those of the operands are not known."""

import torch
from torch import Tensor

bytes_ = torch.zeros(3, dtype=torch.uint8)
flags = torch.zeros(3, dtype=torch.bool)


def arithmetic(x: Tensor, y: Tensor, count, limit=None):
    x + y  # reveal: Tensor[any device]
    x - y  # reveal: Tensor[any device, int|uint8|float|complex]
    x * 2  # reveal: Tensor[any device, int|uint8|float|complex]
    x * 0.5  # reveal: Tensor[any device, float|complex]
    x & y  # reveal: Tensor[any device, bool|int|uint8]
    ~x  # reveal: Tensor[any device, bool|int|uint8]
    torch.arange(3, device=x.device) - x  # reveal: Tensor[any device, int|float|complex, rank≥1]
    torch.stack([x, y.float()])  # reveal: Tensor[any device, float|complex, rank≥1]
    count * 2
    if limit is None:
        limit = 5
    x.max() >= limit  # reveal: Tensor[any device, bool]


def indexed(x: Tensor, rows: Tensor, limit: int | None = None):
    place = torch.arange(x.size(0), device=x.device) + rows * 3
    place = torch.where(place < 3, place, 7)  # reveal: Tensor[any device, int|float|complex, rank≥1]
    first = x.argmax(1)  # reveal: Tensor[any device, int]
    best, at = x.max(1)
    best  # reveal: Tensor[any device]
    at  # reveal: Tensor[any device, int]
    return x.max() >= limit  # reveal: Tensor[any device, bool]


bytes_ + flags  # reveal: Tensor[cpu, uint8, rank 1]
bytes_ + torch.arange(3)  # reveal: Tensor[cpu, int, rank 1]
bytes_ + 1  # reveal: Tensor[cpu, int|uint8, rank 1]
flags + 1  # reveal: Tensor[cpu, int, rank 1]
torch.arange(3).tolist()  # reveal: list[int, …]
torch.arange(3)[0].item()  # reveal: int
flags.tolist()  # reveal: list[bool, …]
torch.tensor([1, 2.5])  # reveal: Tensor[cpu, float, rank≥1]


def bound(limit, distances):
    return torch.log(torch.tensor(limit + 1.0)) * distances.sum(-1)


def scaled(scale, distances):
    return scale.cpu() * distances


on_device = torch.ones(3, 3, device="cuda")
bound(load(), on_device)  # reveal: Tensor[gpu, float|complex]
bound(load(), torch.ones(3, 3))  # reveal: Tensor[cpu, float|complex]
bound(load(), load())  # reveal: Tensor[cpu, float|complex]
scaled(load(), on_device)  # reveal: Tensor[gpu, float|complex, rank≥2]
scaled(load(), load())  # reveal: Tensor[cpu]
