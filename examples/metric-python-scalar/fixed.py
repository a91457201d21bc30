"""The same metrics given zero-dimensional tensors of the host, which kernels take as plain arguments."""

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
    batch_sizes: MeanMetric


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    inputs, weight = torch.randn(16, 32, device=device), torch.randn(32, 10, device=device)
    labels = torch.randint(10, (16,), device=device)
    mean_loss, samples = UncheckedMean().to(device), SumMetric(nan_strategy="disable").to(device)
    return State(inputs, weight, labels, mean_loss, samples, batch_sizes=MeanMetric())


def step(state: State) -> torch.Tensor:
    batch_size = state.inputs.shape[0]
    loss = F.cross_entropy(state.inputs @ state.weight, state.labels)
    count = torch.as_tensor(batch_size)
    state.mean_loss.update(loss, count)
    state.samples.update(count)
    state.batch_sizes.update(batch_size)  # a metric on the host takes Python numbers as they are
    return loss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
