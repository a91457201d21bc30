"""Distinct values of which only the number matters."""

import torch


def setup(device: torch.device) -> None:
    torch.manual_seed(0)


def step(state: None) -> torch.Tensor:
    x = torch.rand(8, 3, device="cuda")
    labels = (x * 3).long()
    loss = x.mean()
    values = torch.unique(labels)  # expect: SYNC202
    if values.numel() < 2:
        loss = 0 * loss
    return loss


def main() -> None:
    setup(torch.device("cuda"))
    for _ in range(10):
        step(None)


if __name__ == "__main__":
    main()
