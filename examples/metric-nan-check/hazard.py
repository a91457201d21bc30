"""Aggregating metrics on the device that ask on every update whether their input holds a NaN."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torchmetrics import MaxMetric, MeanMetric, SumMetric


@dataclass
class State:
    inputs: torch.Tensor
    weight: torch.Tensor
    labels: torch.Tensor
    mean_loss: MeanMetric
    worst_loss: MaxMetric
    correct: SumMetric


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, weight = torch.randn(16, 32, device=device), torch.randn(32, 10, device=device)
    labels = torch.randint(10, (16,), device=device)
    mean_loss = MeanMetric().to(device)  # expect: SYNC402
    worst_loss = MaxMetric(nan_strategy=0.0).to(device)  # expect: SYNC402
    correct = SumMetric(nan_strategy="ignore").to(device)  # expect: SYNC402
    return State(inputs, weight, labels, mean_loss, worst_loss, correct)


def step(state: State) -> torch.Tensor:
    logits = state.inputs @ state.weight
    losses = F.cross_entropy(logits, state.labels, reduction="none")
    state.mean_loss.update(losses)  # expect: SYNC401[torchmetrics<1.6.2]  # waits: SYNC402
    state.worst_loss.update(losses)  # waits: SYNC402
    state.correct.update(logits.argmax(dim=1) == state.labels)  # waits: SYNC402
    return losses.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
