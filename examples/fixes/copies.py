"""Copies to a device that is asked for, from tensors and loaders with any number of rows."""

import numpy
import torch
from torch.utils.data import DataLoader, TensorDataset


def setup(device: torch.device, rows: int = 4) -> torch.Tensor:
    torch.manual_seed(0)
    return torch.rand(rows, 3).to(device)


def moved(x: torch.Tensor, device: torch.device) -> tuple[torch.Tensor, ...]:
    host = torch.from_numpy(numpy.ones((x.shape[0], 3)))
    here = host.to(device)
    there = torch.tensor([1.0, 2.0, float(x.shape[0])]).to(x.device)
    return here, there


def loaded(device: torch.device) -> torch.Tensor:
    given = torch.ones(4, 3, device="cpu")
    total = torch.zeros(3, device=device)
    for (batch,) in DataLoader(TensorDataset(given), batch_size=2):
        total = total + batch.to(device).sum(0)
    return total


def written(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    z = torch.zeros(4, 3, device=x.device)
    rows = torch.arange(2, device=x.device)
    z[rows, rows] = 1
    z[0, 1] = 2.0
    return z, x[:, [0, 2]]


def step(state: torch.Tensor) -> tuple[object, ...]:
    x = state.clone()
    return moved(x, x.device), loaded(x.device), written(x)


def main() -> None:
    state = setup(torch.device("cuda"))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
