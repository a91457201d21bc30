"""The same step with the norm and the running loss kept on the device; the loss is read every 100 steps."""

import argparse
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class State:
    model: nn.Linear
    optimizer: torch.optim.SGD
    inputs: torch.Tensor
    labels: torch.Tensor
    total: torch.Tensor
    schedule: np.ndarray
    steps: int = 0


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    model = nn.Linear(32, 10).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    inputs, labels = torch.randn(16, 32, device=device), torch.randint(10, (16,), device=device)
    return State(model, optimizer, inputs, labels, torch.zeros((), device=device), np.full(10, 0.1))


def gradient_norm(model: nn.Module) -> torch.Tensor:
    return torch.stack([p.grad.norm() for p in model.parameters()]).norm()


def step(state: State) -> torch.Tensor:
    # A NumPy array lives on the host: its `.item()` waits for nobody.
    state.optimizer.param_groups[0]["lr"] = state.schedule[state.steps % 10].item()
    state.optimizer.zero_grad()
    loss = F.cross_entropy(state.model(state.inputs), state.labels)
    loss.backward()
    scale = (1.0 / (gradient_norm(state.model) + 1e-6)).clamp(max=1.0)
    for p in state.model.parameters():
        p.grad.mul_(scale)
    state.optimizer.step()
    state.total += loss.detach()
    state.steps += 1
    if state.steps % 100 == 0:
        print(f"mean loss {state.total.item() / state.steps:.3f}")
    return loss.detach()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
