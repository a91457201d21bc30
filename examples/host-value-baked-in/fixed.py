"""The same number in a tensor that is filled between replays."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    inputs: torch.Tensor
    weights: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    return State(torch.randn(16, 4, device=device), torch.randn(4, 2, device=device))


def step(state: State) -> torch.Tensor:
    graph = torch.cuda.CUDAGraph()
    scale = torch.ones((), device="cuda")
    with torch.cuda.graph(graph):
        outputs = state.inputs @ state.weights * scale
    total = torch.zeros((), device="cuda")
    for number in range(3):
        scale.fill_(0.5**number)
        graph.replay()
        total += outputs.sum()
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
