"""Unsafe fixes: what is written when asked for, and nothing without."""

from __future__ import annotations

from collections.abc import Callable

import pytest

CASES = {
    "running-sum": (
        "loss = x.sum()\ntotal = 0.0\ntotal += loss.item()",
        "loss = x.sum()\ntotal = 0.0\ntotal = total + loss.detach()",
    ),
    "appended": (
        "loss, losses = x.sum(), []\nlosses.append(loss.item())",
        "loss, losses = x.sum(), []\nlosses.append(loss.detach())",
    ),
    "assertion": ("assert (x > 0).all(), 'sign'", "torch._assert_async((x > 0).all(), 'sign')"),
    "linalg": ("z = torch.linalg.inv(x)", "z = torch.linalg.inv_ex(x)[0]"),
    "factors": ("z, p = torch.linalg.lu_factor(x)", "z, p = torch.linalg.lu_factor_ex(x)[:2]"),
    "number": ("z = torch.tensor(n, device='cuda')", "z = torch.full((), n, device='cuda')"),
    "random": ("z = torch.randn(3).to('cuda')", "z = torch.randn(3, device='cuda')"),
    "distribution": ("z = Normal(x, y)", "z = Normal(x, y, validate_args=False)"),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_fix(before: str, after: str, fixed: Callable[..., str]) -> None:
    assert fixed(before) == before
    assert fixed(before, "--unsafe-fixes") == after


def test_an_error_that_is_handled_is_left(fixed: Callable[..., str]) -> None:
    snippet = "try:\n    z = torch.linalg.inv(x)\nexcept RuntimeError:\n    pass"
    assert fixed(snippet, "--unsafe-fixes") == snippet
