"""A loop over the elements of a tensor on the device."""

import torch


def setup(device: torch.device) -> None:
    torch.manual_seed(0)


def step(state: None) -> float:
    x = torch.rand(8, 3, device="cuda")
    total = 0.0
    for value in x.sum(dim=1):  # expect: SYNC604
        total += value.item()  # expect: SYNC101
    return total


def main() -> None:
    setup(torch.device("cuda"))
    for _ in range(10):
        step(None)


if __name__ == "__main__":
    main()
