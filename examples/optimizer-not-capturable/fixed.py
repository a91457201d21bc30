"""The same step of an optimizer that is capturable."""

import argparse
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class State:
    inputs: torch.Tensor
    model: nn.Linear


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    return State(torch.randn(16, 4, device=device), nn.Linear(4, 2).to(device))


def step(state: State) -> torch.Tensor:
    optimizer, graph = torch.optim.Adam(state.model.parameters(), lr=1e-3, capturable=True), torch.cuda.CUDAGraph()
    train(state, optimizer)  # which makes the gradients, and what the optimizer keeps
    with torch.cuda.graph(graph):
        loss = state.model(state.inputs).square().mean()
        loss.backward()
        optimizer.step()
    graph.replay()
    return loss.detach()


def train(state: State, optimizer: torch.optim.Optimizer) -> None:
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        state.model(state.inputs).square().mean().backward()
        optimizer.step()
    torch.cuda.current_stream().wait_stream(side)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
