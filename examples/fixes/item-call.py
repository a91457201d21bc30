"""Reads of one element after another, and of a loss that is only summed up."""

import torch


def setup(device: torch.device) -> None:
    torch.manual_seed(0)


def step(state: None) -> tuple[float, float]:
    x = torch.rand(8, 3, device="cuda")
    line = x.sum(dim=1)
    total = 0.0
    for i in range(len(line)):
        total += line[i].item()  # expect: SYNC101
    running = 0.0
    running += x.mean().item()  # expect: SYNC101
    return total, running


def main() -> None:
    setup(torch.device("cuda"))
    for _ in range(10):
        step(None)


if __name__ == "__main__":
    main()
