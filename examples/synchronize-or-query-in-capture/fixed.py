"""The same products; one stream waits for the other, which becomes an edge of the graph."""

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
    side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            first = state.inputs @ state.weights
        torch.cuda.current_stream().wait_stream(side)
        outputs = first * 2
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
