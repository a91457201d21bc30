"""Conditions that the host decides, several at a time."""

import torch


def setup(device: torch.device) -> None:
    torch.manual_seed(0)


def step(state: None) -> torch.Tensor:
    x = torch.rand(8, 3, device="cuda")
    if torch.isnan(x).any() or torch.isinf(x).any():  # expect: SYNC104
        x = x * 0
    if (x < 0).any() or (x > 2).any():  # expect: SYNC104
        x = x + 1
    bad = x > 0.5
    y = x.clone()
    if bad.any():  # expect: SYNC104
        y[bad] = 0
    assert (y < 1).all()  # expect: SYNC104
    return y


def main() -> None:
    setup(torch.device("cuda"))
    for _ in range(10):
        step(None)


if __name__ == "__main__":
    main()
