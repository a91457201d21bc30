"""The same batches, copied into the tensor that was captured."""

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
    graph, batch = torch.cuda.CUDAGraph(), torch.ones(16, 4, device="cuda")
    with torch.cuda.graph(graph):
        outputs = batch @ state.weights
    total = torch.zeros((), device="cuda")
    for rows in state.inputs.split(4):
        batch.copy_(rows.repeat(4, 1))
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
