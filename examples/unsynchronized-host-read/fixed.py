"""The same copies, read after an event behind them has been waited for."""

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


def step(state: State) -> float:
    outputs = state.inputs.mul_(1.1) @ state.weights
    largest = outputs.amax().to("cpu", non_blocking=True)
    means = outputs.mean(dim=0).to("cpu", non_blocking=True)
    if outputs.is_cuda:
        copied = torch.cuda.Event()
        copied.record()
        copied.synchronize()  # synclint: ignore[SYNC111] the copies have to be complete
    total = sum(means.tolist())
    return float(largest) + total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
