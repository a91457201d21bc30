"""A soft-target loss that lets `one_hot` find the number of classes in the labels."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class State:
    logits: torch.Tensor
    labels: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    return State(torch.randn(20, 10, device=device), torch.arange(20, device=device) % 10)


def step(state: State) -> torch.Tensor:
    targets = F.one_hot(state.labels).float() * 0.9 + 0.01  # expect: SYNC207
    predicted = F.one_hot(state.labels, num_classes=-1)  # expect: SYNC207
    hits = (state.logits.softmax(dim=1) * predicted).sum(dim=1)
    return F.cross_entropy(state.logits, targets) + hits.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
