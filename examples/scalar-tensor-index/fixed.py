"""The same step with the index kept one-dimensional, so that the gather runs on the device."""

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
    # A copy instead of a view; a position out of range becomes an error of the device.
    best = state.scores.argmax().view(1)
    box = state.boxes[best][0]
    column = state.features[:, best]
    row = state.features.index_select(0, best).squeeze(0)
    window = state.features[best + torch.arange(2, device=best.device)]
    return box.sum() + column.mean() + row.mean() + window.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
