"""Variables of a function that are set to what a condition does not ask for: its branch never runs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

READ = "print(x.sum().item())"


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        (f"off = False\nif off: {READ}", False),
        (f"off = False\nif x.dim() > 1 and off: {READ}", False),
        (f"on = True\nif not on: {READ}", False),
        (f"on = True\nif on: pass\nelse: {READ}", False),
        (f"off = False\nif not off: {READ}", True),
        (f"off = False\nif off or x.dim() > 1: {READ}", True),
        (f"off = False\noff = x.dim() > 1\nif off: {READ}", True),
        (f"off = False\nfor _ in range(9):\n    if off: {READ}\n    off = True", True),
        (f"off = False\ndef turn():\n    nonlocal off\n    off = True\nturn()\nif off: {READ}", True),
        (f"off = 0\nif off: {READ}", True),
    ],
)
def test_a_branch_for_which_a_variable_is_never_set(
    linted: Callable[..., list[Finding]], body: str, reported: bool
) -> None:
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    found = linted(one=f"import torch\n\ndef forward(x: torch.Tensor):\n{lines}\n")
    assert [each.code for each in found] == ["SYNC101"] * reported
