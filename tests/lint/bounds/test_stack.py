"""Calls on stacks of their own."""

from __future__ import annotations

import pytest
from synclint.lint.bounds.stack import in_deep_stack, on_fresh_stack


def depth(n: int) -> int:
    return n and 1 + depth(n - 1)


def test_a_deep_stack_returns_and_raises() -> None:
    assert in_deep_stack(lambda: depth(20_000)) == 20_000
    with pytest.raises(ZeroDivisionError):
        in_deep_stack(lambda: 1 // 0)


def test_each_fresh_stack_begins_with_nothing() -> None:
    def stretch(n: int) -> int:
        return depth(700) + (on_fresh_stack(lambda: stretch(n - 1)) if n else 0)

    assert stretch(5) == 6 * 700
