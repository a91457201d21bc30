"""A model that one process spreads over all GPUs."""

import argparse
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class State:
    inputs: torch.Tensor
    targets: torch.Tensor
    model: nn.Module


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    model = spread(nn.Linear(4, 2).to(device))
    return State(torch.randn(8, 4, device=device), torch.randn(8, 2, device=device), model)


def spread(model: nn.Module) -> nn.Module:
    if torch.cuda.device_count() > 1:
        return nn.DataParallel(model, device_ids=[0, 1])  # expect: SYNC603
    return model


def step(state: State) -> torch.Tensor:
    outputs = state.model(state.inputs)
    return (outputs - state.targets).square().mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
