"""Dtypes and ranks."""

import torch
import torch.nn.functional as F

x = torch.randn(4, 5, device="cuda")
mask = x > 0  # reveal: Tensor[gpu, bool, rank 2]
both = mask & (x < 1)  # reveal: Tensor[gpu, bool, rank 2]
inverse = ~mask  # reveal: Tensor[gpu, bool, rank 2]
total = x.sum()  # reveal: Tensor[gpu, float, rank 0]
rows = x.sum(dim=1)  # reveal: Tensor[gpu, float, rank 1]
kept = x.sum(dim=1, keepdim=True)  # reveal: Tensor[gpu, float, rank 2]
few = mask.sum()  # reveal: Tensor[gpu, int, rank 0]
best = x.argmax(dim=1)  # reveal: Tensor[gpu, int, rank 1]
values, indices = x.max(dim=1)
torch.max(x, 0)  # reveal: tuple[Tensor[gpu, float, rank 1], Tensor[gpu, int, rank 1]]
x.min(1)  # reveal: tuple[Tensor[gpu, float, rank 1], Tensor[gpu, int, rank 1]]
torch.max(x, x)  # reveal: Tensor[gpu, float, rank 2]
peak = x.max()  # reveal: Tensor[gpu, float, rank 0]
top = x.topk(2)  # reveal: tuple[Tensor[gpu, float, rank 2], Tensor[gpu, int, rank 2]]
half = x.half()  # reveal: Tensor[gpu, float, rank 2]
ids = x.long()  # reveal: Tensor[gpu, int, rank 2]
loss = F.cross_entropy(x, ids)  # reveal: Tensor[gpu, float, rank 0]
each = F.cross_entropy(x, ids, reduction="none")  # reveal: Tensor[gpu, float]
criterion = torch.nn.MSELoss()
error = criterion(x, x)  # reveal: Tensor[gpu, float, rank 0]
shape = x.shape  # reveal: Size
size = x.size(0)  # reveal: int
count = x.numel()  # reveal: int
number = total.item()  # reveal: float
numbers = x.tolist()  # reveal: list[float, …]
where = torch.where(mask, x, 0.0)  # reveal: Tensor[gpu, float, rank 2]
positions = torch.where(mask)  # reveal: tuple[Tensor[gpu, int, rank 1], …]
column = x[:, 0]  # reveal: Tensor[gpu, float, rank 1]
picked = x[mask]  # reveal: Tensor[gpu, float, rank≥1]
either = torch.any(mask)  # reveal: Tensor[gpu, bool, rank 0]


def by_kind(inputs, ids):
    kept = inputs["mask"].bool()  # reveal: Tensor[any device, bool]
    whole = ids.long()  # reveal: Tensor[any device, int]
    return kept, whole


def open_operands(y: torch.Tensor, z):
    y + 1.0  # reveal: Tensor[any device, float|complex]
    y * 2  # reveal: Tensor[any device, int|uint8|float|complex]
    (y > 0) & z  # reveal: Tensor[any device, bool|int|uint8]
    (y > 0) & chosen(y, 3)  # reveal: Tensor[any device, bool]
    (y > 0) & numbered(y)  # reveal: Tensor[any device, int]


def chosen(y: torch.Tensor, k):
    return y > k


def numbered(y: torch.Tensor):
    return y.long()
