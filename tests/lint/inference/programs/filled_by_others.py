"""What is empty where it is made, and filled by another function, is not known to be empty."""

import torch


def combined(count: int):
    found, kept, by_name = [], [], {}

    def visit(state: list[int]):
        by_name[len(state)] = state
        if len(state) == count:
            found.append(state)
            return
        for each in range(3):
            visit([*state, each])

    visit(kept)
    found  # reveal: list[Unknown, …]
    by_name  # reveal: dict[Unknown, …]
    return found


def fill(target: list, values: dict, x: torch.Tensor):
    target.append(x)
    values["x"] = x


def given_to_a_function(x: torch.Tensor):
    several, values, others = [], {}, []
    fill(several, values=values, x=x)
    several  # reveal: list[Unknown, …]
    values  # reveal: dict[Unknown, …]
    others  # reveal: list[]
    print(others, len(others))
    others  # reveal: list[]
    others.append(1)
    fill(others, values, x)
    others  # reveal: list[int 1, …]


def not_filled_there(x: torch.Tensor):
    several = []

    def count():
        return len(several)

    several  # reveal: list[]
    several.append(x)
    several  # reveal: list[Tensor[any device], …]
    return count


combined(2)
