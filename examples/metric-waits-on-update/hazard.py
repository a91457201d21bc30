"""Multiclass metrics that count with `bincount` or drop an ignored class, and so wait on every update."""

import argparse
from dataclasses import dataclass

import torch
from torchmetrics import Accuracy
from torchmetrics.classification import MulticlassAccuracy, MulticlassConfusionMatrix


@dataclass
class State:
    inputs: torch.Tensor
    weight: torch.Tensor
    labels: torch.Tensor
    balanced: MulticlassAccuracy
    confusion: MulticlassConfusionMatrix
    foreground: Accuracy


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, weight = torch.randn(64, 32, device=device), torch.randn(32, 10, device=device)
    labels = torch.randint(10, (64,), device=device)
    balanced = MulticlassAccuracy(num_classes=10, validate_args=False).to(device)
    confusion = MulticlassConfusionMatrix(num_classes=10, validate_args=False).to(device)
    foreground = Accuracy(task="multiclass", num_classes=10, ignore_index=0, validate_args=False).to(device)
    return State(inputs, weight, labels, balanced, confusion, foreground)


def step(state: State) -> torch.Tensor:
    logits = state.inputs @ state.weight
    state.balanced.update(logits, state.labels)  # expect: SYNC406
    state.confusion.update(logits, state.labels)  # expect: SYNC406
    state.foreground.update(logits, state.labels)  # expect: SYNC406
    return state.confusion.confmat.clone()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
