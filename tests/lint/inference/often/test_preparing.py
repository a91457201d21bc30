"""Classes without a base of a library, and calls of which only one that is seldom passes what a line needs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

WARPS = """
import torch

class Warp(object):
    def forward(self, image: torch.Tensor):
        if image.min() < 0:
            raise ValueError(image)
        return image * 2

class Shade(object):
    def __init__(self):
        self.names = ["shadow"]

    def forward(self, image: torch.Tensor):
        for name in self.names:
            image = getattr(self, name)(image)
        return image

    def shadow(self, image: torch.Tensor):
        warp = Warp()
        for _ in range(torch.randint(2, 5, (8,)).max()):
            mask = torch.ones(1, 50).to(image)
            mask = warp.forward(mask)
        return image * mask
"""
IMAGES = """
import torch
from warps import Shade, Warp

class Images(torch.utils.data.Dataset):
    def __init__(self):
        self.warp = Warp()
        self.shade = Shade()

    def __getitem__(self, index):
        return self.shade.forward(self.warp.forward(torch.rand(index)))
"""
TRAINING = """
import torch
from warps import Shade

class Model(torch.nn.Module):
    def forward(self, x):
        return Shade().forward(x)
"""


def test_a_loop_over_forward_of_no_module_is_no_loop_over_steps(linted: Callable[..., list[Finding]]) -> None:
    assert linted(warps=WARPS, images=IMAGES) == []
    assert len(linted(warps=WARPS, images=IMAGES, training=TRAINING)) == 2


def test_a_class_of_a_program_without_a_library_s_base_is_no_module(linted: Callable[..., list[Finding]]) -> None:
    (found,) = linted(warps=WARPS.partition("class Shade")[0])
    assert found.frequency.per == "call of `forward`"


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
