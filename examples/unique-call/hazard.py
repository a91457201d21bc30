"""A step that counts the classes of a batch with `unique`, whose result is as long as the data say."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    labels: torch.Tensor
    codes: torch.Tensor
    losses: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    labels, codes = torch.randint(10, (64,), device=device), torch.randint(4, (64, 2), device=device)
    return State(labels, codes, torch.rand(64, device=device))


def step(state: State) -> torch.Tensor:
    classes = torch.unique(state.labels)  # expect: SYNC202
    _, counts = state.labels.unique(return_counts=True)  # expect: SYNC202
    runs = torch.unique_consecutive(state.labels)  # expect: SYNC202
    pairs = torch.unique(state.codes, dim=0)  # expect: SYNC202
    imbalance = counts.max() / state.labels.numel()
    return state.losses.sum() * imbalance / len(classes) + len(runs) + len(pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
