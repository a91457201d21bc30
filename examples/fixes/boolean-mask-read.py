"""One mask for several tensors, and a mask that only leaves entries out of a sum."""

import torch


def setup(device: torch.device) -> None:
    torch.manual_seed(0)


def step(state: None) -> tuple[torch.Tensor, ...]:
    x = torch.rand(8, 3, device="cuda")
    mask = x > 0.5
    chosen = x[mask]  # expect: SYNC203
    others = (x * 2)[mask]  # expect: SYNC203
    near = x < 0.1
    return chosen, others, x[near].sum()  # expect: SYNC203


def main() -> None:
    setup(torch.device("cuda"))
    for _ in range(10):
        step(None)


if __name__ == "__main__":
    main()
