"""Positions that are only written to, and positions that are only counted."""

import torch


def setup(device: torch.device) -> None:
    torch.manual_seed(0)


def step(state: None) -> tuple[torch.Tensor, int]:
    x = torch.rand(8, 3, device="cuda")
    y = x.flatten()
    found = torch.nonzero(y > 0.5).squeeze(1)  # expect: SYNC201
    y[found] = -1
    return y, len(torch.nonzero(x > 0.7))  # expect: SYNC201


def main() -> None:
    setup(torch.device("cuda"))
    for _ in range(10):
        step(None)


if __name__ == "__main__":
    main()
