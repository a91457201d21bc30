"""The same step with its indices built once on the device, and numbers written by fills and slices."""

import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class State:
    logits: torch.Tensor
    embeddings: torch.Tensor
    neighbours: torch.Tensor
    order: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    logits, embeddings = torch.randn(12, 10, device=device), torch.randn(12, 8, device=device)
    neighbours, order = torch.tensor([2, 5, 8], device=device), torch.tensor([4, 0, 9], device=device)
    return State(logits, embeddings, neighbours, order)


def step(state: State) -> torch.Tensor:
    chosen = state.logits[:, :2]
    context = state.embeddings[state.neighbours]
    queries = state.embeddings[state.order]
    weights = torch.ones(10, device=state.logits.device)
    weights.index_fill_(0, state.logits.argmin(dim=1), 0.0)
    weights[0:1] = 2.0  # a slice is filled on the device; so is a whole row of a matrix
    weights[4:6].fill_(0.5)
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
