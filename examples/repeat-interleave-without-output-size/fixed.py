"""The same length regulator, told by the data set how many frames there are."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    phonemes: torch.Tensor
    pitch: torch.Tensor
    durations: torch.Tensor
    frame_count: int


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    lengths = [2, 5, 1, 3, 4, 1]
    durations = torch.tensor(lengths, device=device)
    return State(torch.randn(6, 8, device=device), torch.randn(6, device=device), durations, sum(lengths))


def step(state: State) -> torch.Tensor:
    count = state.frame_count
    frames = torch.repeat_interleave(state.phonemes, state.durations, dim=0, output_size=count)
    pitch = state.pitch.repeat_interleave(state.durations, output_size=count)
    segments = torch.repeat_interleave(state.durations, output_size=count)
    energy = torch.zeros_like(state.pitch).index_add(0, segments, frames.square().sum(dim=1))
    doubled = frames.repeat_interleave(2, dim=0)  # a Python number of repeats
    return doubled.mean() + pitch.mean() + energy.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
