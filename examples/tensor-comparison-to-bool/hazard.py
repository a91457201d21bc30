"""A self-training step that compares whole tensors and wants each answer as a Python bool."""

import argparse
from dataclasses import dataclass

import torch


@dataclass
class State:
    student: torch.Tensor
    teacher: torch.Tensor
    inputs: torch.Tensor
    previous: torch.Tensor
    unchanged: int = 0


def setup(device: torch.device) -> State:
    torch.manual_seed(0)
    student = torch.randn(16, 10, device=device)
    previous = torch.zeros(32, dtype=torch.int64, device=device)
    return State(student, student + 0.1, torch.randn(32, 16, device=device), previous)


def step(state: State) -> torch.Tensor:
    moved = state.teacher.lerp(state.student, 0.1)
    if not torch.allclose(moved, state.teacher, atol=1e-3):  # expect: SYNC108
        state.teacher = moved
    predictions = (state.inputs @ state.teacher).argmax(dim=1)
    if torch.equal(predictions, state.previous):  # expect: SYNC108
        state.unchanged += 1
    state.previous = predictions
    disagreement = (predictions != (state.inputs @ state.student).argmax(dim=1)).sum()
    rate = 0.5 if torch.is_nonzero(disagreement) else 1.0  # expect: SYNC108
    torch.testing.assert_close(state.teacher, state.student, atol=1.0, rtol=0.0)  # expect: SYNC108
    return state.teacher * rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    state = setup(torch.device(parser.parse_args().device))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
