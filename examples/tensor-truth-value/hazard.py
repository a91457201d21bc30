"""A multi-task training step whose control flow asks tensors of the device whether they are true."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    outputs: torch.Tensor
    targets: list[torch.Tensor]
    tokens: torch.Tensor
    best: torch.Tensor
    stop_ids: list[int]
    pad_id: int = 0
    limit: float = 100.0


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    targets = [torch.randn(4, 8, device=device) for _ in range(3)]
    tokens = torch.randint(5, (4, 8), device=device)
    return State(torch.randn(4, 8, device=device) * 4, targets, tokens, torch.ones((), device=device), [2, 3])


def halved(update: torch.Tensor) -> torch.Tensor:
    while update.norm() > 1.0:  # expect: SYNC104
        update = update * 0.5
    return update


def step(state: State) -> torch.Tensor:
    losses = [(state.outputs - target).square().mean() for target in state.targets]
    if any(loss.isnan() for loss in losses):  # expect: SYNC104
        return torch.zeros_like(state.outputs)
    hard = [loss for loss in losses if loss > 17.0]  # expect: SYNC104
    total = sum(hard) + sum(losses)
    assert total >= 0, "a squared error is never negative"  # expect: SYNC104
    weight = 0.5 if total > state.best else 1.0  # expect: SYNC104
    overflow = ~torch.isfinite(total)
    if overflow or total > state.limit:  # expect: SYNC104
        weight = 0.0
    if not state.outputs.any():  # expect: SYNC104
        weight = 2.0
    if state.pad_id in state.tokens:  # expect: SYNC104
        weight *= 3.0
    if state.tokens[0, -1] in state.stop_ids:  # expect: SYNC104
        weight *= 5.0
    if total > 1.0:  # expect: SYNC104
        weight *= 7.0
    return halved(state.outputs) * weight


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
