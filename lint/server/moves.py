"""Where the lines of an earlier text are in a later one, and the findings on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..finding import Finding, Reason, Span


class Moves:
    """Maps lines of a text to a later one that differs in one place: the lines above it, and those below."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        most = min(len(before), len(after))
        self._above = next((at for at in range(most) if before[at] != after[at]), most)
        rest = most - self._above
        below = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
        self._below = len(before) - below
        self._shift = len(after) - len(before)

    def row(self, row: int) -> int | None:
        """Return the row, from 1, in the later text; None if it has changed."""
        if row <= self._above:
            return row
        return row + self._shift if row > self._below else None

    def span(self, span: Span) -> Span | None:
        """Return the region in the later text; None if one of its lines has changed."""
        first, last = self.row(span.row), self.row(span.end_row)
        if first is None or last is None or last - first != span.end_row - span.row:
            return None
        return replace(span, row=first, end_row=last)

    def finding(self, finding: Finding) -> Finding | None:
        """Return the finding in the later text, with its reasons; None if one of its lines has changed."""
        span = self.span(finding.span)
        if span is None:
            return None
        name = span.filename

        def moved(reason: Reason) -> Reason:
            at = reason.span
            return replace(reason, span=self.span(at)) if at and at.filename == name else reason

        reasons = tuple(map(moved, finding.reasons))
        return replace(finding, span=span, reasons=reasons, frequency=finding.frequency.with_reasons(moved))
