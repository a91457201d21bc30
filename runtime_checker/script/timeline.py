"""When a run waited: as the JSON of a run keeps it, and as the charts of a page draw it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from .report import Report
from .steps import Steps

LANES: Final = 12
"""The number of lines that a timeline shows one by one, the worst; the others share a lane."""
CHARTS: Final = ("uplot.css", "language.js", "uplot.js", "charts.css", "charts.js")
"""What a page needs to draw them."""


def timeline(report: Report, steps: Steps) -> dict[str, Any]:
    """Return when each step and each wait ended, in milliseconds since the start, and the row of each wait."""
    rows = {id(wait): at for at, row in enumerate(report.judgement.rows) for wait in row.waits}
    waits = sorted(steps.waits, key=lambda wait: wait.ended)
    return {
        "warmup": report.window.skipped,
        "steps_ended_ms": [_in_ms(ended - report.started) for _, ended in steps.marks],
        "ended_ms": [_in_ms(wait.ended - report.started) for wait in waits],
        "blocked_ms": [_in_ms(wait.seconds or 0.0) for wait in waits] if report.has_clock else None,
        "rows": [rows.get(id(wait)) for wait in waits],
    }


def _in_ms(seconds: float) -> float:
    return round(seconds * 1e3, 3)


def charts(
    found: Mapping[str, Any], names: Sequence[str], places: Sequence[int], is_aligned: bool = False
) -> dict[str, Any]:
    """Return what the charts of a timeline are drawn of; `places` are the positions in `names` of its rows.

    Runs that are compared are aligned: their time begins with the measured steps, since imports take as long as they
    take.
    """
    own = names[:LANES]
    lanes = [len(own) if at is None else min(places[at], len(own)) for at in found["rows"]]
    ends, blocked = found["steps_ended_ms"], found["blocked_ms"]
    step_of = [bisect_right(ends, ended) for ended in found["ended_ms"]]
    waited: Counter[int] = Counter()
    for number, milliseconds in zip(step_of, blocked or ()):
        waited[number] += round(milliseconds * 1e3)
    counted = Counter(step_of)
    warmup = found["warmup"]
    begin = ends[warmup - 1] if is_aligned and 0 < warmup <= len(ends) else 0.0
    return {
        "lanes": [*own, *(["other lines"] if len(own) in lanes else [])],
        "origin": "warm-up" if begin else "start",
        "ended": [round(ended - begin, 3) for ended in found["ended_ms"]],
        "took": blocked,
        "lane": lanes,
        "steps": [round(ended - begin, 3) for ended in ends],
        "waits_of_step": [counted[number] for number in range(len(ends))],
        "blocked_of_step": None if blocked is None else [waited[number] / 1e3 for number in range(len(ends))],
        "skipped": warmup,
    }
