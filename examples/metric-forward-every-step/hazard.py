"""A training step that pays for values of metrics which nobody reads.

Calling a metric also computes it for the batch, `compute()` gathers from every process, and `compute_on_cpu=True`
copies the kept tensors to the host after each update. On a single GPU only the last one waits; the others cost work.
"""

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
    running: torch.Tensor | None = None


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, weight = torch.randn(16, 32, device=device), torch.randn(32, 2, device=device)
    labels = torch.randint(2, (16,), device=device)
    accuracy = MulticlassAccuracy(num_classes=2, average="micro", validate_args=False).to(device)
    auroc = BinaryAUROC(validate_args=False, compute_on_cpu=True).to(device)
    return State(inputs, weight, labels, accuracy, auroc, MeanSquaredError().to(device))


def step(state: State) -> torch.Tensor:
    logits = state.inputs @ state.weight
    probabilities = logits.softmax(dim=1)[:, 1]
    state.accuracy(logits, state.labels)  # expect: SYNC407
    state.running = state.accuracy.compute()  # expect: SYNC407
    state.auroc.update(probabilities, state.labels)  # expect: SYNC407
    error = state.error(probabilities, state.labels.float())  # the batch's value is used
    return F.cross_entropy(logits, state.labels) + error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
