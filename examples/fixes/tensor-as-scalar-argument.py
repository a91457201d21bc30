"""Tensors made of elements that are on the device already."""

import torch


def setup(device: torch.device) -> None:
    torch.manual_seed(0)


def step(state: None) -> torch.Tensor:
    x = torch.rand(8, 3, device="cuda")
    mean = x.mean()
    return torch.tensor([mean] * 3, device=x.device)  # expect: SYNC109


def main() -> None:
    setup(torch.device("cuda"))
    for _ in range(10):
        step(None)


if __name__ == "__main__":
    main()
