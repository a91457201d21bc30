"""A loader without workers: the host collates each batch between two steps."""

import argparse
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class State:
    device: torch.device
    model: nn.Linear
    loader: DataLoader


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    dataset = TensorDataset(torch.randn(32, 16), torch.randint(10, (32,)))
    loader = DataLoader(dataset, batch_size=8, pin_memory=True)  # expect: SYNC602
    return State(device, nn.Linear(16, 10).to(device), loader)


def step(state: State) -> torch.Tensor:
    total = torch.zeros((), device=state.device)
    for inputs, labels in state.loader:  # waits: SYNC602
        inputs, labels = inputs.to(state.device, non_blocking=True), labels.to(state.device, non_blocking=True)
        total += nn.functional.cross_entropy(state.model(inputs), labels).detach()
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
