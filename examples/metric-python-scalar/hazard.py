"""Metrics on the device that are given Python numbers, each of which becomes a blocking copy."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torchmetrics import MeanMetric, SumMetric  # needs: torchmetrics>=1.6.2


class UncheckedMean(MeanMetric):
    """A weighted mean that trusts its input: it does not look for NaN."""

    def _cast_and_nan_check_input(
        self, x: torch.Tensor, weight: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        return x, torch.ones_like(x) if weight is None else weight


@dataclass
class State:
    inputs: torch.Tensor
    weight: torch.Tensor
    labels: torch.Tensor
    mean_loss: UncheckedMean
    samples: SumMetric


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, weight = torch.randn(16, 32, device=device), torch.randn(32, 10, device=device)
    labels = torch.randint(10, (16,), device=device)
    return State(inputs, weight, labels, UncheckedMean().to(device), SumMetric(nan_strategy="disable").to(device))


def step(state: State) -> torch.Tensor:
    batch_size = state.inputs.shape[0]
    loss = F.cross_entropy(state.inputs @ state.weight, state.labels)
    state.mean_loss.update(loss, batch_size)  # expect: SYNC403
    state.samples.update(batch_size)  # expect: SYNC403
    return loss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
