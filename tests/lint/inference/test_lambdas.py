"""Lambdas are functions: what they do is reported as often as they are called, and with what they are called with."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Confidence, Finding, Level

HEAD = """
import functools
import torch

def step(x, n):
    x = torch.ones(3, device="cuda")
    tensors = [x, x]
"""

ROWS = {
    "sorted(tensors, key=lambda v: v.item())": Level.EVERY_PASS,
    "min(tensors, key=lambda v: float(v))": Level.EVERY_PASS,
    "max(x, x, key=lambda v: v.item())": Level.EVERY_PASS,
    "tensors.sort(key=lambda v: v.item())": Level.EVERY_PASS,
    "list(map(lambda v: v.item(), tensors))": Level.EVERY_PASS,
    "list(filter(lambda v: v.item() > 0, tensors))": Level.EVERY_PASS,
    "functools.reduce(lambda total, v: total + v.item(), tensors, 0.0)": Level.EVERY_PASS,
    "read = lambda v: v.item(); read(x)": Level.EVERY_STEP,
    "read = lambda: x.item(); read()": Level.EVERY_STEP,
    "readers = {'a': lambda v: v.item()}; readers['a'](x)": Level.EVERY_STEP,
    "readers = [lambda v: v.item(), len]; [read(x) for read in readers]": Level.EVERY_PASS,
    "read = functools.partial(lambda scale, v: v.item(), 2); read(x)": Level.EVERY_STEP,
    "(lambda v, w=x: w.item())(3)": Level.EVERY_STEP,
    "(lambda *, v=x: v.item())()": Level.EVERY_STEP,
    "inner = lambda v: (lambda w: w.item())(v); inner(x)": Level.EVERY_STEP,
    "total = (lambda v: v.sum())(x); total.item()": Level.EVERY_STEP,
}
"""A line of a step -> how often it waits for the tensor that it reads."""


@pytest.mark.parametrize("line", ROWS)
def test_what_a_lambda_does(line: str, linted: Callable[..., list[Finding]]) -> None:
    found = linted(one=HEAD + f"    {line}\n")
    assert {(each.frequency.level, each.confidence) for each in found} == {(ROWS[line], Confidence.CERTAIN)}


def test_a_lambda_that_nothing_calls(linted: Callable[..., list[Finding]]) -> None:
    assert linted(one=HEAD + "    later = lambda: x.item()\n") == []
    assert linted(one=HEAD + "    check(n, lambda: x.item())\n") == []
    assert [each.code for each in linted(one=HEAD + "    later = lambda v: x.item()\n")] == ["SYNC101"]


def test_the_finding_belongs_to_the_function_around(linted: Callable[..., list[Finding]]) -> None:
    (found,) = linted(one=HEAD + "    read = lambda v: v.item(); read(x)\n")
    assert found.scope == "one.step"
    assert [reason.message for reason in found.frequency.reasons][-1] == "`step` calls `<lambda>`"


DEFAULTS = {
    "def step(\n    x, read=lambda v: v.item()\n):\n    read(X)": Level.EVERY_STEP,
    "def step(\n    x, *, read=lambda: X.item()\n):\n    read()": Level.EVERY_STEP,
    "def step(\n    x, key=lambda v: v.item()\n):\n    sorted([X, X], key=key)": Level.EVERY_PASS,
}


@pytest.mark.parametrize("program", DEFAULTS)
def test_a_lambda_as_a_default(program: str, linted: Callable[..., list[Finding]]) -> None:
    """It is called with what the parameter is called with, and belongs to the header of the function."""
    (found,) = linted(one=f'import torch\nX = torch.ones(3, device="cuda")\n{program}\n')
    assert (found.frequency.level, found.confidence) == (DEFAULTS[program], Confidence.CERTAIN)
    assert found.statement.startswith("def step(")
