"""Calls on stacks of their own."""

from __future__ import annotations

import pytest
from synclint.lint.bounds.stack import in_deep_stack, is_shallow, on_fresh_stack


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


def test_a_stack_is_shallow_until_many_calls_are_within_each_other() -> None:
    def at(n: int) -> bool:
        return at(n - 1) if n else is_shallow()

    assert on_fresh_stack(lambda: at(250))
    assert not on_fresh_stack(lambda: at(350))
