"""Distributions of a tensor and a number, which is copied to the device each time."""

import argparse
from dataclasses import dataclass

import torch
from torch.distributions import Gamma, HalfNormal, Normal, Uniform


@dataclass
class State:
    mean: torch.Tensor
    rate: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    return State(torch.randn(8, device=device), torch.rand(8, device=device) + 1.0)


def step(state: State) -> torch.Tensor:
    around = Normal(state.mean, 1.0, validate_args=False)  # expect: SYNC502
    below = Uniform(0, high=state.rate, validate_args=False)  # expect: SYNC502
    waiting = Gamma(2.0, state.rate, validate_args=False)  # expect: SYNC502
    # It is a `Normal(0, scale)` inside.
    width = HalfNormal(state.rate, validate_args=False)  # expect: SYNC502
    return (around.entropy() + below.entropy() + waiting.entropy() + width.entropy()).sum()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
