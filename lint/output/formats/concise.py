"""One line per finding, in the form familiar from compilers: `file:row:column: severity: …`."""

from __future__ import annotations

from collections.abc import Iterator

from ..outcome import Outcome
from ..text import one_line


def render(outcome: Outcome) -> Iterator[str]:
    """Yield a line for each finding."""
    yield from map(one_line, outcome.shown)
    yield from outcome.closing()
