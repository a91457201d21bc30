"""A finding as JSON: the stable row of `json` and `json-lines`, in text that is safe in any log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from ..finding import Cell, Finding, Frequency, Level, Reason, Span
from ..offers import Fix
from .text import valid


def dumps(value: object) -> str:
    """Return the value as one line of ASCII in which no CI service finds a command (`##name[`).

    Strict readers refuse halves of surrogate pairs, which stand for undecodable bytes in file names.
    """
    text = json.dumps(value)
    if "\\ud" in text:
        text = json.dumps(json.loads(valid(json.dumps(value, ensure_ascii=False))))
    return text.replace("##", "#\\u0023")


def array(items: Iterable[object]) -> Iterator[str]:
    """Yield the lines of a JSON array with one item per line."""
    lines = [f"  {dumps(each)}" for each in items]
    if not lines:
        yield "[]"
        return
    yield "["
    yield from (f"{line}," for line in lines[:-1])
    yield lines[-1]
    yield "]"


def row(finding: Finding, fix: Fix | None = None) -> dict[str, Any]:
    """Return the row of one finding and its fix; rows and columns count from 1, and columns are code points.

    In a notebook, rows are relative to the cell, and `cell` is its number among all cells.
    """
    end = finding.span.shown
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        **_where(finding.span),
        "end_location": {"row": end.end_row, "column": end.end_column},
        "severity": finding.severity.words,
        "frequency": finding.frequency.level.words,
        "per": finding.frequency.per or None,
        "conditions": list(finding.frequency.conditions),
        "routes": [_route(each) for each in finding.frequency.routes],
        "confidence": finding.confidence.words,
        "cause": finding.frequency.cause or None,
        "measured": None if finding.measured is None else asdict(finding.measured),
        "reasons": [_reason(each) for each in (*finding.reasons, *finding.frequency.reasons)],
        "instead": finding.instead or None,
        "fix": None if fix is None else _fix(fix, finding.span.cell),
        "url": finding.url,
    }


def _route(route: Frequency) -> dict[str, Any]:
    """Return one of the ways to a line: how often it runs by that, and what must hold."""
    return {
        "frequency": route.level.words,
        "per": route.per or None,
        "assumed": route.assumed,
        "conditions": list(route.conditions),
        "off_by_default": list(route.off_by_default),
        "loop": _where(route.loop.span) if route.loop is not None and route.level >= Level.EVERY_STEP else None,
    }


def _fix(fix: Fix, cell: Cell | None) -> dict[str, Any]:
    """Return a fix; its edits are those of the finding's cell, and rows count as the finding's do."""
    above = cell.first - 1 if cell else 0
    return {
        "title": fix.offer.title,
        "applicability": fix.offer.applicability,
        "unsafe": fix.offer.unsafe or None,
        "effect": fix.offer.effect.value,
        "edits": [
            {
                "content": each.text,
                "location": {"row": each.row - above, "column": each.column},
                "end_location": {"row": each.end_row - above, "column": each.end_column},
            }
            for each in fix.edits
        ],
    }


def _where(span: Span | None) -> dict[str, Any]:
    if span is None:
        return {"filename": None, "cell": None, "location": None}
    location = {"row": span.shown.row, "column": span.column}
    return {"filename": span.filename, "cell": span.cell.number if span.cell else None, "location": location}


def _reason(reason: Reason) -> dict[str, Any]:
    return {"message": reason.message, **_where(reason.span)}
