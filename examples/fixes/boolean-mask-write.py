"""Entries of one tensor where another has larger ones, and an update of those that a mask selects."""

import torch


def setup(device: torch.device) -> None:
    torch.manual_seed(0)


def step(state: None) -> torch.Tensor:
    x = torch.rand(8, 3, device="cuda")
    y = x.flip(0)
    z = x.clone()
    larger = y > x
    z[larger] = y[larger]  # expect: SYNC203, SYNC204
    small = z < 0.5
    z[small] *= -1.5  # expect: SYNC204
    return z


def main() -> None:
    setup(torch.device("cuda"))
    for _ in range(10):
        step(None)


if __name__ == "__main__":
    main()
