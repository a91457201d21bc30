"""A speech model's length regulator, whose output is as long as the repeats add up to."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    phonemes: torch.Tensor
    pitch: torch.Tensor
    durations: torch.Tensor


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    durations = torch.tensor([2, 5, 1, 3, 4, 1], device=device)
    return State(torch.randn(6, 8, device=device), torch.randn(6, device=device), durations)


def step(state: State) -> torch.Tensor:
    frames = torch.repeat_interleave(state.phonemes, state.durations, dim=0)  # expect: SYNC205
    pitch = state.pitch.repeat_interleave(state.durations)  # expect: SYNC205
    segments = torch.repeat_interleave(state.durations)  # expect: SYNC205
    energy = torch.zeros_like(state.pitch).index_add(0, segments, frames.square().sum(dim=1))
    return frames.repeat_interleave(2, dim=0).mean() + pitch.mean() + energy.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
