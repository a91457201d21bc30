"""Classification metrics that check on every update whether their arguments hold the expected values."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torchmetrics.classification import BinaryAccuracy, MultilabelF1Score


@dataclass
class State:
    inputs: torch.Tensor
    weight: torch.Tensor
    labels: torch.Tensor
    accuracy: BinaryAccuracy
    f1: MultilabelF1Score


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, weight = torch.randn(16, 32, device=device), torch.randn(32, 4, device=device)
    labels = torch.randint(2, (16, 4), device=device)
    accuracy = BinaryAccuracy().to(device)  # expect: SYNC405
    f1 = MultilabelF1Score(num_labels=4).to(device)  # expect: SYNC405
    return State(inputs, weight, labels, accuracy, f1)


def step(state: State) -> torch.Tensor:
    logits = state.inputs @ state.weight
    loss = F.binary_cross_entropy_with_logits(logits, state.labels.float())
    probabilities = logits.sigmoid()
    state.accuracy.update(probabilities[:, 0], state.labels[:, 0])  # waits: SYNC405
    state.f1.update(probabilities, state.labels)  # waits: SYNC405
    return loss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
