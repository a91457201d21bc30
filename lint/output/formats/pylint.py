"""Lines for tools that read pylint's output: `path:line:column: CODE (name) message`, columns in bytes from 0."""

from __future__ import annotations

from collections.abc import Iterator

from ..columns import utf8
from ..outcome import Outcome
from ..text import escape


def render(outcome: Outcome) -> Iterator[str]:
    """Yield a line for each finding."""
    for each in outcome.shown:
        span = each.span.on_disk
        column, _ = utf8(span, outcome.lines(span.filename))
        yield f"{escape(span.filename)}:{span.row}:{column - 1}: {each.code} ({each.name}) {escape(each.message)}"
