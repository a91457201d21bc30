"""The same confusion matrix added up on the device; the per-class figures follow from it after the loop."""

import argparse
from dataclasses import dataclass

import torch
from torchmetrics import Accuracy


@dataclass
class State:
    inputs: torch.Tensor
    weight: torch.Tensor
    labels: torch.Tensor
    confusion: torch.Tensor
    accuracy: Accuracy


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, weight = torch.randn(64, 32, device=device), torch.randn(32, 10, device=device)
    labels = torch.randint(10, (64,), device=device)
    confusion = torch.zeros(100, dtype=torch.int64, device=device)
    accuracy = Accuracy(task="multiclass", num_classes=10).to(device)  # averages "micro", which only compares
    return State(inputs, weight, labels, confusion, accuracy)


def step(state: State) -> torch.Tensor:
    logits = state.inputs @ state.weight
    cells = state.labels * 10 + logits.argmax(dim=1)
    state.confusion.scatter_add_(0, cells, torch.ones_like(cells))
    state.accuracy.update(logits, state.labels)
    return state.confusion.view(10, 10).clone()


def balanced_accuracy(confusion: torch.Tensor) -> torch.Tensor:
    return (confusion.diagonal() / confusion.sum(dim=1).clamp(min=1)).mean()


def foreground_accuracy(confusion: torch.Tensor) -> torch.Tensor:
    return confusion.diagonal()[1:].sum() / confusion[1:].sum()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        confusion = step(state)
    print(f"balanced {balanced_accuracy(confusion):.1%}, without class 0 {foreground_accuracy(confusion):.1%}")


if __name__ == "__main__":
    main()
