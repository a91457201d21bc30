"""The same distributions of tensors only; numbers next to numbers stay on the host."""

import argparse
import math
from dataclasses import dataclass

import torch
from torch.distributions import Gamma, Normal, Uniform


@dataclass
class State:
    mean: torch.Tensor
    rate: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    return State(torch.randn(8, device=device), torch.rand(8, device=device) + 1.0)


def step(state: State) -> torch.Tensor:
    around = Normal(state.mean, torch.ones_like(state.mean), validate_args=False)
    below = Uniform(torch.zeros_like(state.rate), high=state.rate, validate_args=False)
    waiting = Gamma(torch.full_like(state.rate, 2.0), state.rate, validate_args=False)
    both_sides = Normal(torch.zeros_like(state.rate), state.rate, validate_args=False)
    width = both_sides.entropy() - math.log(2)  # half of a normal distribution is as wide as half the range
    standard = Normal(0.0, 1.0)  # on the host, where nothing waits
    return (around.entropy() + below.entropy() + waiting.entropy() + width).sum() + 0.0 * float(standard.variance)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
