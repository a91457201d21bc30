"""The same loss with `ignore_index`, `torch.where` and a division by the mask's sum."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class State:
    logits: torch.Tensor
    labels: torch.Tensor
    order: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    labels = torch.randint(10, (32,), device=device)
    labels = torch.where(labels < 3, -100, labels)
    return State(torch.randn(32, 10, device=device), labels, torch.randperm(32, device=device))


def step(state: State) -> torch.Tensor:
    mask = state.labels != -100
    loss = F.cross_entropy(state.logits, state.labels, ignore_index=-100)
    probabilities = state.logits.softmax(dim=1)[state.order]  # whole numbers as index: the size is known
    mask = mask.index_select(0, state.order)
    entropy = -(probabilities * probabilities.log()).sum(dim=1)
    uncertainty = torch.where(mask, entropy, 0.0).sum() / mask.sum()
    confident = torch.where(mask, probabilities.amax(dim=1), 0.0).sum()
    return torch.where(torch.isfinite(loss), loss, 0.0) + uncertainty + confident


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
