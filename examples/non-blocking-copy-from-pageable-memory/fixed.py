"""The same copy out of pinned memory, and a tensor made on the device."""

import argparse
from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class State:
    device: torch.device
    features: torch.Tensor
    weights: torch.Tensor


def pinned(tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    return tensor.pin_memory() if device.type == "cuda" else tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    features = np.linspace(0.0, 1.0, 64, dtype=np.float32).reshape(16, 4)
    return State(device, pinned(torch.from_numpy(features), device), torch.randn(4, 2, device=device))


def step(state: State) -> torch.Tensor:
    features = state.features.to(state.device, non_blocking=True)
    noise = torch.zeros(16, 2, device=state.device)
    return features @ state.weights + noise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
