"""A scoring step whose indices, or the numbers it writes, are on the host and travel to the device each time."""

import argparse
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F


@dataclass
class State:
    logits: torch.Tensor
    embeddings: torch.Tensor
    order: np.ndarray


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    logits, embeddings = torch.randn(12, 10, device=device), torch.randn(12, 8, device=device)
    return State(logits, embeddings, np.array([4, 0, 9]))


def step(state: State) -> torch.Tensor:
    chosen = state.logits[:, [0, 1]]  # expect: SYNC209
    neighbours = torch.tensor([2, 5, 8])
    context = state.embeddings[neighbours]  # expect: SYNC209
    queries = state.embeddings[state.order]  # expect: SYNC209
    weights = torch.ones(10, device=state.logits.device)
    weights[state.logits.argmin(dim=1)] = 0.0  # expect: SYNC209[torch<2.15]
    weights[0] = 2.0  # expect: SYNC209[torch<2.15]
    weights[[4, 5]] = 0.5  # expect: SYNC209
    probabilities = F.softmax(state.logits, dim=1) @ weights
    return probabilities.sum() + chosen.sum() + (context * queries).sum()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
