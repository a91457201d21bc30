"""A search in boundaries that are sorted by an index."""

import torch


def setup(device: torch.device) -> None:
    torch.manual_seed(0)


def step(state: None) -> torch.Tensor:
    x = torch.rand(8, 3, device="cuda")
    line = x[:, 0].contiguous()
    order = line.argsort()
    return torch.searchsorted(line, x.contiguous(), sorter=order)  # expect: SYNC208


def main() -> None:
    setup(torch.device("cuda"))
    for _ in range(10):
        step(None)


if __name__ == "__main__":
    main()
