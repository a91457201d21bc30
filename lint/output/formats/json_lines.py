"""One JSON object per line and finding, notes included, for programs that read as a stream."""

from __future__ import annotations

from collections.abc import Iterator

from ..outcome import Outcome
from ..rows import dumps, row


def render(outcome: Outcome) -> Iterator[str]:
    """Yield a line for each finding."""
    for each in outcome.findings:
        yield dumps(row(each, outcome.fix(each)))
