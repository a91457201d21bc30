"""A training step that reads the gradient norm and the loss to the host with `.item()`."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class State:
    model: nn.Linear
    optimizer: torch.optim.SGD
    inputs: torch.Tensor
    labels: torch.Tensor
    total: float = 0.0


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    model = nn.Linear(32, 10).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    inputs, labels = torch.randn(16, 32, device=device), torch.randint(10, (16,), device=device)
    return State(model, optimizer, inputs, labels)


def gradient_norm(model: nn.Module) -> float:
    norms = torch.stack([p.grad.norm() for p in model.parameters()])
    return norms.norm().item()  # expect: SYNC101


def step(state: State) -> torch.Tensor:
    state.optimizer.zero_grad()
    loss = F.cross_entropy(state.model(state.inputs), state.labels)
    loss.backward()
    scale = min(1.0, 1.0 / (gradient_norm(state.model) + 1e-6))
    for p in state.model.parameters():
        p.grad.mul_(scale)
    state.optimizer.step()
    state.total += loss.item()  # expect: SYNC101
    return loss.detach()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
