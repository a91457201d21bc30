"""A class-balance step that counts with `bincount` and `histc`, both of which read their input's range."""

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
    counts = torch.bincount(state.labels, minlength=10)  # expect: SYNC206
    sums = state.labels.bincount(weights=state.losses, minlength=10)  # expect: SYNC206
    spread = torch.histc(state.scores, bins=4)  # expect: SYNC206
    return (sums / counts.clamp(min=1)).mean() + spread.max()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
