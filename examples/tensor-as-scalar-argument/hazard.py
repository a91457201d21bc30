"""An update written by hand that passes tensors of the device where the operators want Python numbers."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class State:
    weight: torch.Tensor
    gradient: torch.Tensor
    second_moment: torch.Tensor
    rate: torch.Tensor
    slope: torch.Tensor
    max_norm: torch.Tensor
    groups: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    weight, gradient = torch.randn(8, 8, device=device, requires_grad=True), torch.randn(8, 8, device=device)
    rate, slope = torch.full((), 0.1, device=device), torch.full((), 0.2, device=device)
    groups = torch.full((), 4, dtype=torch.int64, device=device)
    return State(weight, gradient, torch.zeros_like(gradient), rate, slope, torch.ones((), device=device), groups)


@torch.no_grad()
def step(state: State) -> torch.Tensor:
    state.weight.grad = state.gradient.clone()
    torch.nn.utils.clip_grad_norm_([state.weight], state.max_norm)  # expect: SYNC109
    moment = torch.addcmul(state.second_moment, state.gradient, state.gradient, value=state.rate)  # expect: SYNC109
    updated = state.weight.sub(state.weight.grad / (moment.sqrt() + 1e-8), alpha=state.rate)  # expect: SYNC109
    active = F.leaky_relu(updated, state.slope)  # expect: SYNC109
    grouped = active.view(state.groups, -1)  # expect: SYNC109
    offsets = torch.arange(state.groups, device=grouped.device)  # expect: SYNC109
    scale = torch.full((1, 16), state.rate, device=grouped.device)  # expect: SYNC109
    return grouped * scale + offsets[:, None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
