"""The same update written with arithmetic on tensors; sizes are Python numbers."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    weight: torch.Tensor
    gradient: torch.Tensor
    second_moment: torch.Tensor
    rate: torch.Tensor
    slope: torch.Tensor
    max_norm: torch.Tensor
    groups: int = 4


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    weight, gradient = torch.randn(8, 8, device=device, requires_grad=True), torch.randn(8, 8, device=device)
    rate, slope = torch.full((), 0.1, device=device), torch.full((), 0.2, device=device)
    return State(weight, gradient, torch.zeros_like(gradient), rate, slope, torch.ones((), device=device))


@torch.no_grad()
def step(state: State) -> torch.Tensor:
    # Rounding may differ in the last digit: `alpha=` and `value=` are fused into their operators.
    norm = torch.linalg.vector_norm(state.gradient)
    gradient = state.gradient * (state.max_norm / (norm + 1e-6)).clamp(max=1.0)
    state.weight.grad = gradient
    moment = state.second_moment + state.rate * state.gradient * state.gradient
    updated = state.weight - state.rate * (gradient / (moment.pow(0.5) + 1e-8))
    active = torch.where(updated > 0, updated, state.slope * updated)
    grouped = active.view(state.groups, -1)
    offsets = torch.arange(state.groups, device=grouped.device)
    scale = state.rate.expand(1, 16).clone()
    # These have overloads that take tensors, so nothing is read.
    ceiling = torch.zeros_like(scale).fill_(state.max_norm)
    mixed = torch.lerp(grouped * scale, grouped * state.rate.pow(state.max_norm), state.rate)
    return mixed.clamp(max=ceiling.amax() * 1e6) + offsets[:, None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
