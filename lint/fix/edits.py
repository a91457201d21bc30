"""Which of several fixes are made at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..offers import Edit, Fix


def without_overlaps(fixes: Iterable[Fix]) -> Iterator[Fix]:
    """Yield the fixes, the first by position of those that touch each other, and equal ones once."""
    taken: list[Edit] = []
    for fix in sorted(set(fixes), key=lambda each: each.edits):
        if not any(_touch(edit, other) for edit in fix.edits for other in taken):
            taken += fix.edits
            yield fix


def _touch(one: Edit, other: Edit) -> bool:
    """Whether two edits have a region in common, or meet."""
    return _start(one) <= _end(other) and _start(other) <= _end(one)


def _start(edit: Edit) -> tuple[int, int]:
    return edit.row, edit.column


def _end(edit: Edit) -> tuple[int, int]:
    return edit.end_row, edit.end_column
