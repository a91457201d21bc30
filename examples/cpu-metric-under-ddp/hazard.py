"""A metric left on the host in a program whose process group knows the GPU only: `compute()` fails.

One process is enough to show it: run with `--device cuda` and the second step raises
`RuntimeError: No backend type associated with device type cpu`. The mistake is where the metric is made.
"""

import argparse
from dataclasses import dataclass

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torchmetrics import MeanMetric


@dataclass
class State:
    inputs: torch.Tensor
    weight: torch.Tensor
    labels: torch.Tensor
    lengths: list[int]
    padding: MeanMetric
    steps: int = 0


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    if not dist.is_initialized():
        for_gpu = "nccl" if dist.is_nccl_available() else "cuda:gloo"
        backend = for_gpu if device.type == "cuda" else "gloo"
        dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)
    inputs, weight = torch.randn(4, 32, device=device), torch.randn(32, 10, device=device)
    labels = torch.randint(10, (4,), device=device)
    padding = MeanMetric()  # expect: SYNC404
    return State(inputs, weight, labels, [12, 7, 9, 4], padding)


def step(state: State) -> torch.Tensor:
    loss = F.cross_entropy(state.inputs @ state.weight, state.labels)
    # The data's lengths are known to the host, and so is the share of padding.
    state.padding.update(1.0 - sum(state.lengths) / (len(state.lengths) * max(state.lengths)))
    state.steps += 1
    if state.steps % 2 == 0:
        print(f"padding {state.padding.compute():.1%}")
    return loss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
