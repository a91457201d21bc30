"""A step of training whose scaler, averages, schedule and optimizer read the device."""

import argparse
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


@dataclass
class State:
    inputs: torch.Tensor
    model: nn.Module
    optimizer: torch.optim.Optimizer
    average: AveragedModel
    scaler: torch.amp.GradScaler
    tail: nn.Module
    slow: torch.optim.Optimizer
    schedule: ReduceLROnPlateau


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, model = torch.randn(16, 4, device=device), nn.Linear(4, 2).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9))
    tail = nn.Linear(2, 1).to(device)
    slow = torch.optim.ASGD(tail.parameters(), lr=1e-3, lambd=0.0)
    scaler = torch.amp.GradScaler(device.type, init_scale=8.0)
    return State(inputs, model, optimizer, average, scaler, tail, slow, ReduceLROnPlateau(slow, patience=99))


def step(state: State) -> torch.Tensor:
    loss = state.tail(state.model(state.inputs)).square().mean()
    state.scaler.scale(loss).backward()
    state.scaler.unscale_(state.optimizer)
    parameters = state.model.parameters()
    norm = nn.utils.clip_grad_norm_(parameters, 1.0, error_if_nonfinite=True)  # expect: SYNC504
    state.scaler.step(state.optimizer)  # expect: SYNC504
    state.scaler.unscale_(state.slow)
    state.slow.step()  # expect: SYNC504
    state.scaler.update()
    state.average.update_parameters(state.model)  # expect: SYNC504
    state.schedule.step(loss.detach())  # expect: SYNC504
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
