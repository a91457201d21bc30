"""Functions that functions of another file make: they run where they are called, with what they are given there."""

from __future__ import annotations

from collections.abc import Callable

from synclint.lint.finding import Finding, Level

MAKES = """
import torch

def make_metric(scale):
    def metric(model, x):
        return (model(x) * scale).sum().item()

    return metric
"""

CALLS = """
from makes import make_metric

def evaluate(model, loader):
    for _ in range(3):
        metric = make_metric(2)
        for x in loader:
            metric(model, x.cuda())
"""


def test_what_another_file_makes_runs_where_it_is_called(linted: Callable[..., list[Finding]]) -> None:
    found = [each for each in linted(makes=MAKES, calls=CALLS) if each.span.filename == "makes.py"]
    assert [each.frequency.level for each in found] == [Level.EVALUATION]
