"""Loops in Python that read the elements of a device tensor one after the other."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    losses: torch.Tensor
    lengths: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    return State(torch.rand(8, device=device), torch.arange(1, 9, device=device))


def step(state: State) -> torch.Tensor:
    losses, lengths = state.losses, state.lengths
    high = 0
    for loss in losses:
        if loss > 0.5:  # expect: SYNC104, SYNC604
            high += 1
    tokens = 0
    for i in range(len(lengths)):
        tokens += int(lengths[i])  # expect: SYNC105, SYNC604
    doubled = torch.stack([loss * 2 for loss in losses])  # small kernels, no wait
    return doubled.sum() + high + tokens


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
