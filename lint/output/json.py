"""A stable JSON array with one object per finding, notes included."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..finding import Finding, Reason, Span


def render(findings: Iterable[Finding]) -> Iterator[str]:
    """The array, one finding per line."""
    rows = [json.dumps(_row(each)) for each in findings]
    yield "[\n  " + ",\n  ".join(rows) + "\n]" if rows else "[]"


def _row(finding: Finding) -> dict[str, Any]:
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
