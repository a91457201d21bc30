"""A loss that looks up the positions of true entries, whose number the host has to learn first."""

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
    return State(torch.randn(32, 10, device=device), torch.randint(10, (32,), device=device))


def step(state: State) -> torch.Tensor:
    background = torch.nonzero(state.labels == 0).squeeze(1)  # expect: SYNC201
    labels = state.labels.index_fill(0, background, -100)
    losses = F.cross_entropy(state.logits, labels, reduction="none")
    hard = (losses > 3.0).nonzero(as_tuple=True)[0]  # expect: SYNC201
    focus = losses[hard].sum()
    confident = torch.argwhere(state.logits.softmax(dim=1) > 0.5)  # expect: SYNC201
    share = confident.shape[0] / state.logits.numel()
    (wrong,) = torch.where(state.logits.argmax(dim=1) != state.labels)  # expect: SYNC201
    distance = (state.labels[wrong] - state.logits.argmax(dim=1)[wrong]).abs().sum()
    return losses.sum() + focus + share + distance


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
