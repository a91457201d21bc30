"""A masked-token step that writes tensors through masks, for which the host counts the selected entries."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    embeddings: torch.Tensor
    mask_token: torch.Tensor
    draw: torch.Tensor
    padding: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    embeddings, mask_token = torch.randn(16, 8, device=device), torch.randn(8, device=device)
    return State(embeddings, mask_token, torch.rand(16, device=device), torch.rand(16, 16, device=device))


def step(state: State) -> torch.Tensor:
    masked, rare, padding = state.draw < 0.3, state.draw > 0.8, state.padding < 0.1
    inputs = state.embeddings.clone()
    inputs[masked] = state.mask_token  # expect: SYNC204
    inputs[rare] += 1.0  # expect: SYNC204
    scores = inputs @ inputs.T
    lowest, highest = scores.min(), scores.max()
    scores[scores > 50.0] = highest  # expect: SYNC204
    scores = scores.masked_fill(padding, lowest)  # expect: SYNC204
    scores[padding & (scores > 0)] = 0.0  # a number of the host fills without a wait
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
