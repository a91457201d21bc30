"""The same step with `torch.where`; only numbers of the host are written through masks."""

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
    inputs = torch.where(masked[:, None], state.mask_token, state.embeddings)
    inputs = torch.where(rare[:, None], inputs + 1.0, inputs)
    scores = inputs @ inputs.T
    lowest, highest = scores.min(), scores.max()
    scores = torch.where(scores > 50.0, highest, scores)
    scores = torch.where(padding, lowest, scores)
    scores[padding & (scores > 0)] = 0.0
    scores = scores.masked_fill(scores.isnan(), 0.0)  # numbers of the host fill without a wait
    scores[scores.isinf()] = torch.tensor(1e4)  # and so does a tensor of the host without dimensions
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
