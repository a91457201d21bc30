"""The same constants made on the device, kept there, or passed as numbers."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    inputs: torch.Tensor
    mean: torch.Tensor
    deviation: float = 0.5


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    return State(torch.randn(16, 3, device=device), torch.tensor([0.4, 0.5, 0.6], device=device))


def step(state: State) -> torch.Tensor:
    x = state.inputs
    deviation = torch.full((), state.deviation, device=x.device)
    y = (x - state.mean) / deviation
    y = torch.where(y > 0, y, 0.1)
    position = torch.arange(3, device=x.device)
    start = (position == 2).to(x.dtype)
    return y * position + start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
