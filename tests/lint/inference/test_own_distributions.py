"""Distributions of a program's own classes, which inherit what torch's constructors and methods check."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

HEAD = """
import torch
from torch.distributions import Categorical, Distribution, Normal
class Named(Distribution): ...
class Own"""

PLAIN = """(Normal):
    pass
"""
ACTIONS = """(Categorical):
    def log_probs(self, actions):
        return super().log_prob(actions.squeeze(-1)).sum(-1)
"""
SCALED = """(Normal):
    def __init__(self, loc, scale, factor=2, validate_args=None):
        super().__init__(loc, scale * factor, validate_args=validate_args)
"""
UNCHECKED = """(Normal):
    def __init__(self, loc, scale):
        super().__init__(loc, scale, validate_args=False)
"""
BY_PLACE = """(Normal):
    def __init__(self, loc, scale):
        super().__init__(loc, scale, False)

    def log_prob(self, value):
        return super().log_prob(value) * 2
"""

MIXED = """(Named, Normal):
    pass
"""

STEPS = """
from own import Own

def main(loader, model, optimizer):
    for batch in loader:
        x = batch.to("cuda", non_blocking=True)
        loss = {0}
        loss.mean().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("cls", "loss", "wanted"),
    [
        (PLAIN, "Own(x, x).log_prob(x)", [("steps.py", 7)]),
        (PLAIN, "Own(x, x, validate_args=False).log_prob(x)", []),
        (PLAIN, "Own(x, x, validate_args=model.validates).log_prob(x)", []),
        (PLAIN, "Own(x, x).rsample()", []),
        (MIXED, "Own(x, x).log_prob(x)", [("steps.py", 7)]),
        (ACTIONS, "Own(logits=x).log_probs(x)", [("own.py", 7)]),
        (SCALED, "Own(x, x).log_prob(x)", [("own.py", 7), ("steps.py", 7)]),
        (SCALED, "Own(x, x, validate_args=False).log_prob(x)", []),
        (SCALED, "Own(x, x, 3, model.validates).log_prob(x)", []),
        (UNCHECKED, "Own(x, x).log_prob(x)", []),
        (BY_PLACE, "Own(x, x).log_prob(x)", []),
    ],
)
def test_what_torch_checks_is_reported_where_it_is_inherited(
    cls: str, loss: str, wanted: list[tuple[str, int]], linted: Callable[..., list[Finding]]
) -> None:
    found = linted(own=HEAD + cls, steps=STEPS.format(loss))
    assert [(each.span.filename, each.span.row) for each in found if each.code == "SYNC501"] == wanted


def test_a_constructor_that_is_inherited_from_torch_is_reported_in_its_file(
    linted: Callable[..., list[Finding]],
) -> None:
    found = linted(own=HEAD + PLAIN + STEPS.replace("from own import Own", "").format("Own(x, x).mean"))
    assert [each.message for each in found if each.code == "SYNC501"] == [
        "`Normal` validates its parameters, and the host waits for the result"
    ]
