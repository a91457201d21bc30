"""A finding as JSON: the stable row of `json` and `json-lines`, and text that is safe in any log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..finding import Finding, Reason, Span


def dumps(value: object) -> str:
    """The value as one line of ASCII, in which no CI service finds a command of its own (`##name[`)."""
    return json.dumps(value).replace("##", "#\\u0023")


def array(items: Iterable[object]) -> Iterator[str]:
    """The lines of a JSON array with one item on each."""
    lines = [f"  {dumps(each)}" for each in items]
    if not lines:
        yield "[]"
        return
    yield "["
    yield from (f"{line}," for line in lines[:-1])
    yield lines[-1]
    yield "]"


def row(finding: Finding) -> dict[str, Any]:
    """The row of one finding. Rows and columns count from 1; columns are code points."""
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "filename": finding.span.filename,
        "location": _location(finding.span),
        "end_location": {"row": finding.span.end_row, "column": finding.span.end_column},
        "severity": finding.severity.words,
        "frequency": finding.frequency.level.words,
        "confidence": finding.confidence.words,
        "reasons": [_reason(each) for each in (*finding.reasons, *finding.frequency.reasons)],
        "fix": None,
        "url": finding.url,
    }


def _location(span: Span) -> dict[str, int]:
    return {"row": span.row, "column": span.column}


def _reason(reason: Reason) -> dict[str, Any]:
    span = reason.span
    where = {"filename": span.filename, "location": _location(span)} if span else {"filename": None, "location": None}
    return {"message": reason.message, **where}
