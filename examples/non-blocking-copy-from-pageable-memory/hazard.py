"""Copies that are not to block, out of memory that is not pinned."""

import argparse
from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class State:
    device: torch.device
    features: np.ndarray
    weights: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    features = np.linspace(0.0, 1.0, 64, dtype=np.float32).reshape(16, 4)
    return State(device, features, torch.randn(4, 2, device=device))


def step(state: State) -> torch.Tensor:
    features = torch.from_numpy(state.features).to(state.device, non_blocking=True)  # expect: SYNC303
    noise = torch.zeros(16, 2).to(state.device, non_blocking=True)  # expect: SYNC303
    return features @ state.weights + noise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
