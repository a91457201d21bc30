"""Conditions and numbers that the host asks of tensors with any number of rows, on a device that is asked for."""

import torch


def setup(device: torch.device, rows: int = 4) -> torch.Tensor:
    torch.manual_seed(0)
    return torch.rand(rows, 3).to(device)


def asked(x: torch.Tensor) -> int:
    if torch.isnan(x).any() or torch.isinf(x).any():
        return 1
    if (x > 2).any() or (x < -1).any():
        return 2
    return 3


def filled(x: torch.Tensor) -> torch.Tensor:
    large = x > 0.5
    if large.any():
        x[large] = 0
    return x


def read(x: torch.Tensor) -> tuple[float, float]:
    mean, total = x.mean(), x.sum()
    a = mean.item()
    b = total.item()
    return a, b


def listed(x: torch.Tensor) -> float:
    found = 0.0
    line = x.flatten()
    for i in range(line.numel()):
        found += line[i].item()
    for each in line:
        found += each.item()
    return found


def step(state: torch.Tensor) -> tuple[object, ...]:
    x = state.clone()
    return asked(x), filled(x.clone()), read(x), listed(x)


def main() -> None:
    state = setup(torch.device("cuda"))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
