"""A snapshot of the weights is pickled in every step; `synclint.toml` declares that `pickle.dumps` reads its arguments.

`pickle` stands for a library of your own.
"""

import argparse
import pickle
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class State:
    model: nn.Linear
    optimizer: torch.optim.SGD
    inputs: torch.Tensor
    snapshot: object = None


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    model = nn.Linear(8, 8).to(device)
    return State(model, torch.optim.SGD(model.parameters(), lr=0.1), torch.randn(16, 8, device=device))


def step(state: State) -> torch.Tensor:
    state.optimizer.zero_grad()
    loss = state.model(state.inputs).square().mean()
    loss.backward()
    state.optimizer.step()
    weight = state.model.weight.detach()
    state.snapshot = pickle.dumps(weight)  # expect: SYNC112
    return loss.detach()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
