"""A decoding step that turns every batch of predictions into Python lists with `.tolist()`."""

import argparse
from dataclasses import dataclass, field

import torch


@dataclass
class State:
    hidden: torch.Tensor
    vocabulary_weight: torch.Tensor
    words: list[str]
    text: list[str] = field(default_factory=list)
    confident: int = 0


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    words = [f"word{i}" for i in range(50)]
    return State(torch.randn(8, 16, device=device), torch.randn(16, 50, device=device), words)


def step(state: State) -> torch.Tensor:
    probabilities = (state.hidden @ state.vocabulary_weight).softmax(dim=1)
    best = probabilities.max(dim=1)
    state.text += [state.words[i] for i in best.indices.tolist()]  # expect: SYNC102
    scores = best.values.tolist()  # expect: SYNC102
    state.confident += sum(score > 0.5 for score in scores)
    return best.indices


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
