"""The same counts added up in a tensor whose size is known, and a histogram with a given range."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    labels: torch.Tensor
    losses: torch.Tensor
    scores: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    labels, losses = torch.randint(10, (64,), device=device), torch.rand(64, device=device)
    return State(labels, losses, torch.linspace(0.0, 1.0, 64, device=device))


def step(state: State) -> torch.Tensor:
    zeros = torch.zeros(10, device=state.labels.device)
    counts = zeros.scatter_add(0, state.labels, torch.ones_like(state.losses))
    sums = zeros.scatter_add(0, state.labels, state.losses)
    spread = torch.histc(state.scores, bins=4, min=0.0, max=1.0)
    return (sums / counts.clamp(min=1)).mean() + spread.max()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
