"""The same metrics without the check, for TorchMetrics 1.6.2 and later; no weight is passed to any of them."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torchmetrics import MaxMetric, MeanMetric, SumMetric  # needs: torchmetrics>=1.6.2


@dataclass
class State:
    inputs: torch.Tensor
    weight: torch.Tensor
    labels: torch.Tensor
    mean_loss: MeanMetric
    worst_loss: MaxMetric
    correct: SumMetric
    batch_sizes: MeanMetric


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, weight = torch.randn(16, 32, device=device), torch.randn(32, 10, device=device)
    labels = torch.randint(10, (16,), device=device)
    # With "disable", a weight that is passed to `update` is replaced by ones: here none is.
    mean_loss = MeanMetric(nan_strategy="disable").to(device)
    worst_loss = MaxMetric(nan_strategy="disable").to(device)
    correct = SumMetric(nan_strategy="disable").to(device)
    batch_sizes = MeanMetric()  # on the host: its check waits for nobody
    return State(inputs, weight, labels, mean_loss, worst_loss, correct, batch_sizes)


def step(state: State) -> torch.Tensor:
    logits = state.inputs @ state.weight
    losses = F.cross_entropy(logits, state.labels, reduction="none")
    state.mean_loss.update(losses)
    state.worst_loss.update(losses)
    state.correct.update(logits.argmax(dim=1) == state.labels)
    state.batch_sizes.update(len(losses))
    return losses.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
