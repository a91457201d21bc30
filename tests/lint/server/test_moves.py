"""Where the lines of a text are after it was edited."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from synclint.lint.finding import Span
from synclint.lint.server.moves import Moves

LINES = st.lists(st.sampled_from("abc"), max_size=6)


@pytest.mark.parametrize(
    ("before", "after", "rows"),
    [
        ("abc", "abc", [1, 2, 3]),
        ("abc", "abxc", [1, 2, 4]),
        ("abc", "ac", [1, None, 2]),
        ("abc", "axc", [1, None, 3]),
        ("aaa", "aaaa", [1, 2, 3]),
        ("abc", "", [None, None, None]),
        ("abc", "xabc", [2, 3, 4]),
    ],
)
def test_lines_above_stay_and_lines_below_follow(before: str, after: str, rows: list[int | None]) -> None:
    moves = Moves(before, after)
    assert [moves.row(row) for row in range(1, len(before) + 1)] == rows


@given(LINES, LINES)
def test_a_line_that_moved_is_the_same_line(before: list[str], after: list[str]) -> None:
    moves = Moves(before, after)
    moved = [(row, there) for row in range(1, len(before) + 1) if (there := moves.row(row)) is not None]
    assert all(before[row - 1] == after[there - 1] for row, there in moved)
    assert [there for _, there in moved] == sorted({there for _, there in moved})


def test_a_region_that_was_torn_apart_is_gone() -> None:
    moves = Moves("abcd", "abxcd")
    assert moves.span(Span("f", 2, 1, 3, 2)) is None
    assert moves.span(Span("f", 3, 1, 4, 2)) == Span("f", 4, 1, 5, 2)
