"""The same by forms that return `info`, and by operators that ask nothing."""

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
    inverse, info = torch.linalg.inv_ex(state.gram)  # `info` may be looked at every N steps
    again = inverse
    factor = torch.linalg.cholesky_ex(state.gram).L
    weights = torch.cholesky_solve(state.sides, factor)
    precision = inverse @ inverse
    largest = power_iteration(state.gram)
    return (
        (inverse + again + factor + precision).sum()
        + weights.sum()
        + largest
        + torch.linalg.det(state.gram).log()
        + 0 * info.sum()
    )


def power_iteration(matrix: torch.Tensor, rounds: int = 9) -> torch.Tensor:
    """The largest eigenvalue of a positive matrix, by squaring it: one way to do without `eigvalsh`."""
    powers = matrix
    for _ in range(rounds):
        powers = powers @ powers
        powers = powers / torch.linalg.matrix_norm(powers)
    vector = powers.sum(dim=1)
    return vector @ matrix @ vector / (vector @ vector)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
