"""The same pass; the numbers are on the device before the capture."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    inputs: torch.Tensor
    weights: torch.Tensor
    scale: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    scale = torch.tensor([0.5, 2.0], device=device)
    return State(torch.randn(16, 4, device=device), torch.randn(4, 2, device=device), scale)


def step(state: State) -> torch.Tensor:
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        outputs = state.inputs @ state.weights * state.scale
    graph.replay()
    return outputs.sum()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
