"""A run as a page for a browser: what each line cost, when, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...lint.finding import Finding, Span
from ...lint.offers import Fix
from ...lint.output.excerpt import excerpt
from ...lint.output.page.code import colored
from ...lint.output.page.fixes import shown_fix
from ...lint.output.page.page import page
from ...lint.output.text import escape
from .inside import lines as inside
from .program import programs_part
from .report import Lines, Report, cells, closing, shown, summary
from .steps import Steps
from .timeline import CHARTS, charts, timeline
from .verdicts import Row


def as_html(report: Report, steps: Steps, lines: Lines, fix: Callable[[Finding], Fix | None]) -> Iterator[str]:
    """Yield the page; `lines` reads a file, `fix` returns what a finding's offer comes to."""
    rows = report.judgement.rows
    yield from page(
        "run",
        CHARTS,
        title=f"synclint: {report.device}",
        summary=summary(report),
        closing=closing(report),
        notes=list(map(escape, report.notes)),
        versions=report.versions,
        rows=[_row(at, row, report, lines, fix) for at, row in enumerate(rows)],
        files=_files(rows, lines, report),
        data=[charts(timeline(report, steps), [f"{shown(row.filename)}:{row.line}" for row in rows], range(len(rows)))],
    )


def _row(at: int, row: Row, report: Report, lines: Lines, fix: Callable[[Finding], Fix | None]) -> dict[str, Any]:
    verdict, count, milliseconds, share, place, codes, what = cells(row, report.window)
    source = lines(row.filename)
    span = row.findings[0].span if row.findings else _whole(row, source)
    return {
        "id": f"row-{at}", "verdict": verdict, "count": count, "ms": milliseconds, "share": share, "place": place,
        "codes": codes, "what": what, "stack": [f"{escape(shown(name))}:{line} in {escape(function)}"
                                                for name, line, function in _stack(row)],
        "inside": list(inside(row, report.window, report.said)),
        "excerpt": [(each.number, colored(each)) for each in excerpt(span, source)],
        "instead": [escape(text) for text in dict.fromkeys(each.instead for each in row.findings) if text],
        "fixes": [shown_fix(found, source) for each in row.findings if (found := fix(each)) is not None],
    }  # fmt: skip


def _whole(row: Row, source: Sequence[str]) -> Span:
    """Return the region of a line that nobody reports."""
    text = source[row.line - 1] if 0 < row.line <= len(source) else ""
    indent = len(text) - len(text.lstrip())
    return Span(row.filename, row.line, indent + 1, row.line, max(len(text), indent + 1) + 1)


def _stack(row: Row) -> Sequence[tuple[str, int, str]]:
    return programs_part(row.waits[0].stack) if row.waits else ()


def _files(rows: Sequence[Row], lines: Lines, report: Report) -> list[dict[str, Any]]:
    """Return the program's files with all their lines; those that were judged lead to what is said of them."""
    judged: dict[str, dict[int, list[tuple[int, Row]]]] = {}
    for at, row in enumerate(rows):
        if row.verdict != "in a library":
            judged.setdefault(row.filename, {}).setdefault(row.line, []).append((at, row))
    return [
        {
            "name": escape(shown(name)),
            "lines": [
                (number, escape(text.expandtabs(4)), [_mark(at, row, report) for at, row in there.get(number, ())])
                for number, text in enumerate(lines(name), start=1)
            ],
        }
        for name, there in judged.items()
    ]


def _mark(at: int, row: Row, report: Report) -> tuple[str, str, str]:
    verdict, count, milliseconds, *_ = cells(row, report.window)
    cost = f"{count} × " if count != "-" else ""
    return f"row-{at}", verdict, cost + (f"{milliseconds} ms" if milliseconds != "-" else "")
