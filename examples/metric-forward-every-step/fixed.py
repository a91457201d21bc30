"""The same metrics only updated; they are computed every 100 steps."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torchmetrics import MeanSquaredError
from torchmetrics.classification import BinaryAUROC, MulticlassAccuracy


@dataclass
class State:
    inputs: torch.Tensor
    weight: torch.Tensor
    labels: torch.Tensor
    accuracy: MulticlassAccuracy
    auroc: BinaryAUROC
    error: MeanSquaredError
    steps: int = 0
    running: torch.Tensor | None = None


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, weight = torch.randn(16, 32, device=device), torch.randn(32, 2, device=device)
    labels = torch.randint(2, (16,), device=device)
    accuracy = MulticlassAccuracy(num_classes=2, average="micro", validate_args=False).to(device)
    auroc = BinaryAUROC(validate_args=False).to(device)
    return State(inputs, weight, labels, accuracy, auroc, MeanSquaredError().to(device))


def step(state: State) -> torch.Tensor:
    logits = state.inputs @ state.weight
    probabilities = logits.softmax(dim=1)[:, 1]
    state.accuracy.update(logits, state.labels)
    state.auroc.update(probabilities, state.labels)
    error = state.error(probabilities, state.labels.float())  # the batch's value is used
    state.steps += 1
    if state.steps % 100 == 0:
        state.running = state.accuracy.compute()
    return F.cross_entropy(logits, state.labels) + error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
