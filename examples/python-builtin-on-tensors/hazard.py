"""A multi-task loss that compares tensors with Python's own `max`, `min` and `sorted`."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    outputs: torch.Tensor
    targets: list[torch.Tensor]
    floor: float = 0.5


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    targets = [torch.randn(4, 8, device=device) for _ in range(5)]
    return State(torch.randn(4, 8, device=device), targets)


def step(state: State) -> torch.Tensor:
    losses = [(state.outputs - target).square().mean() for target in state.targets]
    worst = max(losses)  # expect: SYNC107
    best = min(losses[0], losses[1])  # expect: SYNC107
    ranked = sorted(losses)  # expect: SYNC107
    median = ranked[len(ranked) // 2]
    floored = max(state.floor, median)  # expect: SYNC107
    return worst - best + floored


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
