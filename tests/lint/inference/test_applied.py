"""Autograd functions: what `apply` returns, and what it gives their `forward`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

FUNCTIONS = """
import torch

class Pool(torch.autograd.Function):
    @staticmethod
    def forward(ctx, features, count):
        if count > 3:
            ctx.count = count
        return features.new_zeros(3), torch.Tensor([count]).int()

class Later(torch.autograd.Function):
    @staticmethod
    def forward(features, count):
        if count > 3:
            features = features * 2
        return features, torch.Tensor([count]).int()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.count = inputs[1]

pool, later = Pool.apply, Later.apply
"""
STEP = """
import torch
import functions
from functions import Later, Pool

def step(x, count):
    x = x.cuda()
    features, number = {call}
    print(number.item())
    return features.max().item()
"""


@pytest.mark.parametrize("call", ["functions.{}(x, 3)", "{}.apply(x, 3)"])
@pytest.mark.parametrize("name", ["Pool", "Later"])
def test_apply_returns_what_forward_does(call: str, name: str, linted: Callable[..., list[Finding]]) -> None:
    called = call.format(name if "apply" in call else name.lower())
    found = linted(functions=FUNCTIONS, step=STEP.format(call=called))
    assert [(each.code, each.span.row, each.confidence.name) for each in found] == [("SYNC101", 10, "CERTAIN")]


@pytest.mark.parametrize(("given", "count"), [("3", 1), ("x.sum()", 2)])
@pytest.mark.parametrize("name", ["Pool", "Later"])
def test_forward_is_given_what_apply_is(
    name: str, given: str, count: int, linted: Callable[..., list[Finding]]
) -> None:
    found = linted(functions=FUNCTIONS, step=STEP.format(call=f"{name}.apply(x, {given})"))
    assert len([each for each in found if each.code in ("SYNC101", "SYNC104")]) == count
