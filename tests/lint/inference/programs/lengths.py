"""Functions that return more in one case than in another: whoever unpacks what they return says which."""

import torch
from torch.utils.data import DataLoader


def loaders(dataset, counted: bool = False):
    loader = DataLoader(dataset)
    if counted:
        return loader, len(dataset)
    return loader, loader, "name"


def outputs(x, flag: int):
    y = torch.zeros(3, device="cuda")
    if flag == 1:
        return y
    if flag == 2:
        return y, 1
    if flag == 3:
        return y, 1, "text"
    return y, 1, "text", 2.0


def many(flag: int):
    if flag == 1:
        return (1,)
    if flag == 2:
        return 1, 2
    if flag == 3:
        return 1, 2, 3
    if flag == 4:
        return 1, 2, 3, 4
    return 1, 2, 3, 4, 5.0


def use(dataset, flag: int, x) -> None:
    loader, count = loaders(dataset, counted=True)
    a = loader  # reveal: instance of torch.utils.data.DataLoader
    b = count  # reveal: int
    _, other, name = loaders(dataset)
    c = other  # reveal: instance of torch.utils.data.DataLoader
    d = name  # reveal: str 'name'
    for batch in other:
        e = batch  # reveal: Batch[cpu, pageable]
    f = outputs(x, flag)[2]  # reveal: Tensor[gpu, float, rank 0] | str 'text'
    y, one, *rest = outputs(x, flag)
    g = many(flag)[4]  # reveal: int | float 5.0
    h, i = many(flag)
    j = (1, 2.0) if flag else (1, 2.0, "text")
    k, l = j
    m = l  # reveal: float 2.0
    n = j[2]  # reveal: str 'text'
    o = [each for each in (j if flag else 3)]  # reveal: list[int 1 | float 2.0 | str 'text', …]
