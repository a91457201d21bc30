"""A step over padded sequences that turns tensors of the device into Python numbers, sizes and list positions."""

import argparse
import math
import operator
from collections import Counter
from dataclasses import dataclass, field

import torch


@dataclass
class State:
    embeddings: torch.Tensor
    lengths: torch.Tensor
    logits: torch.Tensor
    labels: torch.Tensor
    depth: torch.Tensor
    names: list[str]
    seen: Counter[str] = field(default_factory=Counter)


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    embeddings, lengths = torch.randn(4, 12, 8, device=device), torch.randint(2, 12, (4,), device=device)
    logits, labels = torch.randn(4, 5, device=device), torch.randint(5, (4,), device=device)
    depth = torch.full((), 3, dtype=torch.int64, device=device)
    return State(embeddings, lengths, logits, labels, depth, list("abcde"))


def step(state: State) -> float:
    longest = state.lengths.max()
    hidden = state.embeddings[:, :longest]  # expect: SYNC105
    for _ in range(state.depth):  # expect: SYNC105
        hidden = hidden.tanh()
    steps = operator.index(longest)  # expect: SYNC105
    inside = torch.arange(steps, device=hidden.device) < state.lengths[:, None]
    count = int(state.lengths.sum())  # expect: SYNC105
    energy = float((hidden.square().sum(dim=2) * inside).sum()) / count  # expect: SYNC105
    loss = torch.nn.functional.cross_entropy(state.logits, state.labels)
    perplexity = math.exp(loss)  # expect: SYNC105
    favourite = state.logits.mean(dim=0).argmax()
    state.seen[state.names[favourite]] += 1  # expect: SYNC105
    padding = [0.0] * state.lengths.min()  # expect: SYNC105
    solved = bool((state.logits.argmax(dim=1) == state.labels).all())  # expect: SYNC105
    return energy + perplexity + sum(padding) + solved


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
