"""Objects that only data sets make, and calls of which only one that is seldom passes what a line needs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

TRANSFORMS = """
import torch

class Normalize:
    def __init__(self, mean=1.0):
        self.mean = mean

    def __call__(self, clip: torch.Tensor):
        return clip - torch.as_tensor([1.0, 2.0], device=clip.device)

class Flip(torch.nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, clip: torch.Tensor):
        return clip[clip > 0]
"""
DATA = """
import torch
from transforms import Flip, Normalize

class Clips(torch.utils.data.Dataset):
    def __init__(self):
        self.transform = [Normalize(), Flip()]
"""
MODEL = """
import torch
from transforms import Flip, Normalize

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.transform = [Normalize(), Flip()]
"""


def test_what_only_data_sets_make_runs_where_they_do(linted: Callable[..., list[Finding]]) -> None:
    assert len(linted(transforms=TRANSFORMS)) == 2
    assert len(linted(transforms=TRANSFORMS, data=DATA, model=MODEL)) == 2
    assert linted(transforms=TRANSFORMS, data=DATA) == []


HEAD = """
import torch

class Head(torch.nn.Module):
    def forward(self, x):
        {usual}
        try:
            return assign(x)
        except RuntimeError:
            return assign(x, "cpu")

def assign(x, mode="gpu"):
    if mode == "cpu":
        x = x.detach().cpu()
    return x * 2
"""


@pytest.mark.parametrize(
    ("usual", "offered", "count"),
    [("", "", 0), ("x = assign(x, mode='cpu')", "", 1), ("", "__all__ = ['assign']", 1)],
)
def test_if_only_a_fallback_passes_what_a_line_needs_it_runs_as_seldom(
    usual: str, offered: str, count: int, linted: Callable[..., list[Finding]]
) -> None:
    assert len(linted(head=HEAD.format(usual=usual) + offered)) == count
