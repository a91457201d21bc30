"""A language-model loss that keeps the entries a mask selects, so that the host waits for their number."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class State:
    logits: torch.Tensor
    labels: torch.Tensor
    order: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    labels = torch.randint(10, (32,), device=device)
    labels = torch.where(labels < 3, -100, labels)
    return State(torch.randn(32, 10, device=device), labels, torch.randperm(32, device=device))


def step(state: State) -> torch.Tensor:
    mask = state.labels != -100
    labels = state.labels[mask]  # expect: SYNC203
    loss = F.cross_entropy(state.logits[mask], labels)  # expect: SYNC203
    probabilities = state.logits.softmax(dim=1)
    entropy = -(probabilities * probabilities.log()).sum(dim=1)
    uncertainty = torch.masked_select(entropy, mask).mean()  # expect: SYNC203
    confident = probabilities.amax(dim=1).masked_select(mask).sum()  # expect: SYNC203
    finite = loss[torch.isfinite(loss)].sum()  # expect: SYNC203
    return finite + uncertainty + confident


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
