"""The same step with every decision taken on the device, by `torch.where` and masks."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    outputs: torch.Tensor
    targets: list[torch.Tensor]
    tokens: torch.Tensor
    best: torch.Tensor
    stop_ids: torch.Tensor
    row_weights: torch.Tensor | None = None
    pad_id: int = 0
    limit: float = 100.0


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    targets = [torch.randn(4, 8, device=device) for _ in range(3)]
    tokens = torch.randint(5, (4, 8), device=device)
    stop_ids = torch.tensor([2, 3], device=device)
    return State(torch.randn(4, 8, device=device) * 4, targets, tokens, torch.ones((), device=device), stop_ids)


def halved(update: torch.Tensor) -> torch.Tensor:
    halvings = update.norm().log2().ceil().clamp(min=0)
    return update * torch.exp2(-halvings)


def step(state: State) -> torch.Tensor:
    outputs = state.outputs
    if state.row_weights is not None and outputs.shape[0] > 1 and outputs.is_floating_point():  # known to the host
        outputs = outputs * state.row_weights
    losses = torch.stack([(outputs - target).square().mean() for target in state.targets])
    broken = losses.isnan().any()
    total = torch.where(losses > 17.0, losses, 0.0).sum() + losses.sum()
    torch._assert_async((total >= 0) | broken)
    weight = torch.where(total > state.best, 0.5, 1.0)
    weight = torch.where(torch.isfinite(total) & (total <= state.limit), weight, 0.0)
    weight = torch.where(outputs.any(), weight, 2.0)
    weight = torch.where((state.tokens == state.pad_id).any(), weight * 3.0, weight)
    weight = torch.where((state.tokens[0, -1] == state.stop_ids).any(), weight * 5.0, weight)
    weight = torch.where(total > 1.0, weight * 7.0, weight)
    return torch.where(broken, 0.0, halved(outputs) * weight)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
