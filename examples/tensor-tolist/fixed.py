"""The same step with the predictions kept on the device; they become words once every 100 steps."""

import argparse
from dataclasses import dataclass, field

import numpy as np
import torch


@dataclass
class State:
    hidden: torch.Tensor
    vocabulary_weight: torch.Tensor
    confident: torch.Tensor
    words: list[str]
    temperatures: np.ndarray
    pending: list[torch.Tensor] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    words = [f"word{i}" for i in range(50)]
    hidden, weight = torch.randn(8, 16, device=device), torch.randn(16, 50, device=device)
    return State(hidden, weight, torch.zeros((), dtype=torch.int64, device=device), words, np.ones(3))


def step(state: State) -> torch.Tensor:
    logits = state.hidden @ state.vocabulary_weight
    for temperature in state.temperatures.tolist():  # a NumPy array
        logits = logits / temperature
    best = logits.softmax(dim=1).max(dim=1)
    state.confident += (best.values > 0.5).sum()
    state.pending.append(best.indices)
    if len(state.pending) % 100 == 0:
        state.text += [state.words[i] for i in torch.cat(state.pending).tolist()]
        state.pending.clear()
    return best.indices


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
