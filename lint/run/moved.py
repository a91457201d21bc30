"""Places that an edit has moved: in what the others were told of a file, each is where it was in the order of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from ..finding import Finding, Reason, Span

Place: TypeAlias = tuple[int, int, int, int]
"""The rows and columns of a region."""
Moves: TypeAlias = Mapping[str, Mapping[Place, Place]]
"""Files -> where a place in them was -> where it is now."""


class GoneError(Exception):
    """Nobody knows where a place is now."""


def moves(before: Sequence[Place] | None, after: Sequence[Place] | None) -> dict[Place, Place]:
    """Return where each place is now; nothing if that is not known."""
    return dict(zip(before, after)) if before and after and len(before) == len(after) else {}


def moved(finding: Finding, where: Moves) -> Finding:
    """Return the finding with the places that its reasons name as they are now. Raises GoneError."""
    reasons = tuple(_moved(each, where) for each in finding.reasons)
    return replace(finding, reasons=reasons, frequency=finding.frequency.with_reasons(lambda each: _moved(each, where)))


def _moved(reason: Reason, where: Moves) -> Reason:
    span = reason.span
    if span is None or span.filename not in where:
        return reason
    now = where[span.filename].get((span.row, span.column, span.end_row, span.end_column))
    if now is None or span.cell is not None:
        raise GoneError
    return replace(reason, span=Span(span.filename, *now))
