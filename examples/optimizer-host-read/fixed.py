"""The same with a fused and a capturable optimizer, and averages by a number."""

import argparse
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim.lr_scheduler import StepLR


@dataclass
class State:
    inputs: torch.Tensor
    model: nn.Module
    optimizer: torch.optim.Optimizer
    average: list[torch.Tensor]
    scaler: torch.amp.GradScaler
    tail: nn.Module
    slow: torch.optim.Optimizer
    schedule: StepLR


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, model = torch.randn(16, 4, device=device), nn.Linear(4, 2).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
    average = [parameter.detach().clone() for parameter in model.parameters()]
    tail = nn.Linear(2, 1).to(device)
    slow = torch.optim.ASGD(tail.parameters(), lr=1e-3, lambd=0.0, capturable=device.type == "cuda")
    scaler = torch.amp.GradScaler(device.type, init_scale=8.0)
    return State(inputs, model, optimizer, average, scaler, tail, slow, StepLR(slow, 99))


def step(state: State) -> torch.Tensor:
    loss = state.tail(state.model(state.inputs)).square().mean()
    state.scaler.scale(loss).backward()
    state.scaler.unscale_(state.optimizer)
    parameters = list(state.model.parameters())
    norm = nn.utils.clip_grad_norm_(parameters, 1.0)
    state.scaler.step(state.optimizer)
    state.scaler.unscale_(state.slow)
    state.slow.step()
    state.scaler.update()
    with torch.no_grad():
        torch._foreach_lerp_(state.average, parameters, 1 - 0.9)
    state.schedule.step()
    state.optimizer.zero_grad()
    state.slow.zero_grad()
    return norm * 0 + loss.detach()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
