"""A ridge regression whose factorisations are asked on the host whether they succeeded."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    gram: torch.Tensor
    sides: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    features = torch.randn(16, 6, device=device)
    return State(features.T @ features + torch.eye(6, device=device), torch.randn(6, 2, device=device))


def step(state: State) -> torch.Tensor:
    inverse = torch.linalg.inv(state.gram)  # expect: SYNC503
    again = state.gram.inverse()  # expect: SYNC503
    factor = torch.linalg.cholesky(state.gram)  # expect: SYNC503
    weights = torch.linalg.solve(state.gram, state.sides)  # expect: SYNC503
    precision = torch.linalg.matrix_power(state.gram, -2)  # expect: SYNC503
    # No form without the check: a note.
    largest = torch.linalg.eigvalsh(state.gram).max()  # waits: SYNC503
    return (inverse + again + factor + precision).sum() + weights.sum() + largest + torch.linalg.det(state.gram).log()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
