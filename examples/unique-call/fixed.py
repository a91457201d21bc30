"""The same counts from sorted values: a new value begins wherever a neighbour differs."""

import argparse
from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class State:
    labels: torch.Tensor
    codes: torch.Tensor
    losses: torch.Tensor
    splits: np.ndarray


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    labels, codes = torch.randint(10, (64,), device=device), torch.randint(4, (64, 2), device=device)
    return State(labels, codes, torch.rand(64, device=device), np.zeros(8))


def distinct(values: torch.Tensor) -> torch.Tensor:
    ordered = values.sort().values
    return (ordered[1:] != ordered[:-1]).sum() + 1


def step(state: State) -> torch.Tensor:
    counts = torch.zeros(10, dtype=torch.int64, device=state.labels.device)
    counts.scatter_add_(0, state.labels, torch.ones_like(state.labels))
    runs = (state.labels[1:] != state.labels[:-1]).sum() + 1
    pairs = distinct(state.codes[:, 0] * 4 + state.codes[:, 1])  # one number for each pair of codes below four
    imbalance = counts.max() / state.labels.numel()
    known = np.unique(state.splits).size  # NumPy counts on the host
    return state.losses.sum() * imbalance / distinct(state.labels) + runs + pairs * known


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
