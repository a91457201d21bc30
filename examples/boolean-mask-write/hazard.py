"""A masked-token step that writes tensors through masks, for which the host counts the selected entries."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    embeddings: torch.Tensor
    mask_token: torch.Tensor
    masked: torch.Tensor
    rare: torch.Tensor
    padding: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    embeddings, mask_token = torch.randn(16, 8, device=device), torch.randn(8, device=device)
    masked, rare = torch.rand(16, device=device) < 0.3, torch.rand(16, device=device) < 0.2
    return State(embeddings, mask_token, masked, rare, torch.rand(16, 16, device=device) < 0.1)


def step(state: State) -> torch.Tensor:
    inputs = state.embeddings.clone()
    inputs[state.masked] = state.mask_token  # expect: SYNC204
    inputs[state.rare] += 1.0  # expect: SYNC204
    scores = inputs @ inputs.T
    lowest, highest = scores.min(), scores.max()
    scores[scores > 50.0] = highest  # expect: SYNC204
    scores = scores.masked_fill(state.padding, lowest)  # expect: SYNC204
    scores[state.padding & (scores > 0)] = 0.0  # a number of the host fills without a wait
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
