"""Reviewdog's Diagnostic Format, one JSON object per line; positions are in UTF-8 bytes, the end exclusive.

Source: proto/rdf/reviewdog.proto of reviewdog. Paths are relative to the working directory, as reviewdog expects.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...finding import Finding, Severity, Span
from ...home import HOME
from ...offers import Fix
from ..columns import utf8
from ..locations import relative
from ..outcome import Outcome
from ..rows import dumps
from ..text import advice

_SEVERITIES: Final = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.NOTE: "INFO"}


def render(outcome: Outcome) -> Iterator[str]:
    """Yield a line for each finding."""
    for each in outcome.shown:
        yield dumps(_diagnostic(each, outcome))


def _diagnostic(finding: Finding, outcome: Outcome) -> dict[str, Any]:
    span = finding.span.on_disk
    column, end_column = utf8(span, outcome.lines(span.filename))
    where = {
        "start": {"line": span.row, "column": column},
        "end": {"line": span.end_row, "column": end_column},
    }
    if span.cell:  # without columns, a range covers whole lines
        where = {"start": {"line": span.row}, "end": {"line": span.end_row}}
    found = {
        "message": advice(finding),
        "location": {"path": relative(span.filename), "range": where},
        "severity": _SEVERITIES[finding.severity],
        "source": {"name": "synclint", "url": HOME},
        "code": {"value": finding.code, "url": finding.url},
    }
    fix = None if span.cell else outcome.fix(finding)
    return found if fix is None else {**found, "suggestions": _suggestions(fix, span, outcome)}


def _suggestions(fix: Fix, span: Span, outcome: Outcome) -> list[dict[str, Any]]:
    """Return the edits of a fix; reviewdog offers each by itself, so that one of several would do half."""
    if len(fix.edits) > 1 or not fix.offer.is_safe:
        return []
    (edit,) = fix.edits
    region = Span(span.filename, edit.row, edit.column, edit.end_row, edit.end_column)
    column, end_column = utf8(region, outcome.lines(span.filename))
    where = {"start": {"line": edit.row, "column": column}, "end": {"line": edit.end_row, "column": end_column}}
    return [{"range": where, "text": edit.text}]
