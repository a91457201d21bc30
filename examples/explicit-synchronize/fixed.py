"""The same step with its order kept by streams and events; only the timing around the loop waits."""

import argparse
import time
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class State:
    model: nn.Linear
    optimizer: torch.optim.SGD
    average: torch.Tensor
    inputs: torch.Tensor
    side: torch.cuda.Stream | None


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    model = nn.Linear(32, 32).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    average, inputs = torch.zeros(32, 32, device=device), torch.randn(16, 32, device=device)
    return State(model, optimizer, average, inputs, torch.cuda.Stream() if device.type == "cuda" else None)


def step(state: State) -> torch.Tensor:
    state.optimizer.zero_grad()
    inputs = state.inputs.repeat(1024, 1)  # large enough for the allocator to have memory of it to give back
    loss = (state.model(inputs) - inputs).square().mean()
    loss.backward()
    state.optimizer.step()
    if state.side is None:
        return state.average.lerp_(state.model.weight.detach(), 0.1)
    updated = torch.cuda.Event()
    updated.record()
    state.side.wait_event(updated)  # the device waits, not the host
    with torch.cuda.stream(state.side):
        state.average.lerp_(state.model.weight.detach(), 0.1)
    torch.cuda.current_stream().wait_stream(state.side)
    return state.average


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    started = time.perf_counter()
    for _ in range(10):
        step(state)
    if state.side is not None:
        torch.cuda.synchronize()
    print(f"{time.perf_counter() - started:.3f} s for 10 steps")


if __name__ == "__main__":
    main()
