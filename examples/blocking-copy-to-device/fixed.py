"""The same copies from pinned memory, which the host only asks for."""

import argparse
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class State:
    device: torch.device
    model: nn.Linear
    loader: DataLoader
    scales: np.ndarray
    buffer: torch.Tensor


def pinned(tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    return tensor.pin_memory() if device.type == "cuda" else tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    dataset = TensorDataset(torch.randn(32, 16), torch.randint(10, (32,)))
    loader = DataLoader(dataset, batch_size=8, pin_memory=True, num_workers=1, persistent_workers=True)
    model = nn.Linear(16, 10).to(device)  # a module is moved once
    return State(device, model, loader, np.linspace(0.5, 1.5, 16, dtype=np.float32), torch.zeros(16, device=device))


def step(state: State) -> torch.Tensor:
    total = torch.zeros((), device=state.device)
    scales = pinned(torch.from_numpy(state.scales), state.device).to(state.device, non_blocking=True)
    offsets = torch.from_numpy(state.scales) * 0.1
    state.buffer.copy_(pinned(offsets, state.device), non_blocking=True)
    for inputs, labels in state.loader:
        inputs = inputs.to(state.device, non_blocking=True)
        labels = labels.to(device=state.device, non_blocking=True)
        total += nn.functional.cross_entropy(state.model(inputs * scales + state.buffer), labels).detach()
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
