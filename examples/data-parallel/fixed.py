"""The same model, spread by one process for each GPU where there are several."""

import argparse
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


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
    if torch.distributed.is_initialized():  # `torchrun` starts one process for each GPU
        return DistributedDataParallel(model)
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
