"""A training step that waits for the device by hand, although every kernel is ordered by its stream."""

import argparse
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class State:
    model: nn.Linear
    optimizer: torch.optim.SGD
    average: torch.Tensor
    inputs: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    model = nn.Linear(32, 32).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return State(model, optimizer, torch.zeros(32, 32, device=device), torch.randn(16, 32, device=device))


def step(state: State) -> torch.Tensor:
    state.optimizer.zero_grad()
    inputs = state.inputs.repeat(1024, 1)  # large enough for the allocator to have memory of it to give back
    loss = (state.model(inputs) - inputs).square().mean()
    loss.backward()
    del inputs, loss
    if state.inputs.is_cuda:
        torch.cuda.synchronize()  # expect: SYNC111
    state.optimizer.step()
    if state.inputs.is_cuda:
        torch.cuda.current_stream().synchronize()  # expect: SYNC111
        torch.cuda.empty_cache()  # expect: SYNC111
    state.average.lerp_(state.model.weight.detach(), 0.1)
    if state.inputs.is_cuda:
        averaged = torch.cuda.Event()
        averaged.record()
        averaged.synchronize()  # expect: SYNC111
    return state.average


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
