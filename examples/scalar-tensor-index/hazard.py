"""A detection step that indexes with a zero-dimensional tensor, which is read to the host as a number."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    scores: torch.Tensor
    boxes: torch.Tensor
    features: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    scores = torch.rand(16, device=device)
    return State(scores, torch.rand(16, 4, device=device), torch.randn(20, 16, device=device))


def step(state: State) -> torch.Tensor:
    best = state.scores.argmax()
    box = state.boxes[best]  # expect: SYNC110
    column = state.features[:, best]  # expect: SYNC110
    row = state.features.select(0, best)  # expect: SYNC110
    window = state.features.narrow(0, best, 2)  # expect: SYNC110
    return box.sum() + column.mean() + row.mean() + window.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
