"""Tensors that are made of numbers, or on the host, for a device that is asked for; with any number of rows."""

import torch
from torch.distributions import Normal


def setup(device: torch.device, rows: int = 4) -> torch.Tensor:
    torch.manual_seed(0)
    return torch.rand(rows, 3).to(device)


def step(state: torch.Tensor) -> tuple[torch.Tensor, ...]:
    x = state.clone()
    rows = x.shape[0]
    half = torch.tensor(0.5, device=x.device)
    third = torch.tensor(0.25).to(x.device)
    equal = torch.tensor([1.5, 1.5, 1.5], device=x.device)
    same = x.new_tensor(2.0)
    ones = torch.ones(rows, 3).to(x.device)
    upper = torch.triu(torch.ones(3, 3)).to(x.device)
    zeros = torch.zeros(3).type_as(x)
    range_ = torch.arange(rows).to(x.device)
    total = x.sum()
    pair = torch.tensor([total, total], device=x.device)
    three = torch.tensor([total] * 3, device=x.device)
    filled = torch.full((3,), total, device=x.device)
    density = Normal(x, 1.0).log_prob(x + 0.5)
    return x + half + third + equal + same + ones + zeros, upper, range_, pair, three, filled, density


def main() -> None:
    state = setup(torch.device("cuda"))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
