"""What is empty where it is made, and filled by another function, is not known to be empty."""

import torch


def combined(count: int):
    found, kept = [], []

    def visit(state: list[int]):
        if len(state) == count:
            found.append(state)
            return
        for each in range(3):
            visit([*state, each])

    visit(kept)
    found  # reveal: list[Unknown, …]
    return found


def fill(target: list, x: torch.Tensor):
    target.append(x)


def given_to_a_function(x: torch.Tensor):
    several, others = [], []
    fill(target=several, x=x)
    several  # reveal: list[Unknown, …]
    others  # reveal: list[]
    print(others, len(others))
    others  # reveal: list[]


def filled_here_as_well(x: torch.Tensor):
    several = []
    fill(several, x)
    several  # reveal: list[]
    several.append(x)
    several  # reveal: list[Tensor[any device], …]


def not_filled_there(x: torch.Tensor):
    several = []

    def count():
        return len(several)

    several  # reveal: list[]
    several.append(x)
    several  # reveal: list[Tensor[any device], …]
    return count


combined(2)
