"""A stable JSON array with one object per finding, notes included."""

from __future__ import annotations

from collections.abc import Iterator

from ..outcome import Outcome
from ..rows import array, row


def render(outcome: Outcome) -> Iterator[str]:
    """Yield the array, one finding per line."""
    yield from array(row(each, outcome.fix(each)) for each in outcome.findings)
