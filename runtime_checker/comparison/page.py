"""Two runs as a page for a browser: side by side, and what became of each line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...lint.output.page.page import page
from ...lint.output.text import escape
from ..script.timeline import CHARTS, charts
from .changes import Change, Side
from .recorded import Recorded
from .table import cells, closing, notes, summary


def as_html(runs: tuple[Recorded, Recorded], changes: Sequence[Change]) -> Iterator[str]:
    """Yield the page."""
    names = [escape(f"{each.side.filename}:{each.side.line}") for each in changes]
    yield from page(
        "compare",
        CHARTS,
        title=f"synclint: {escape(runs[0].name)} and {escape(runs[1].name)}",
        closing=closing(changes),
        notes=list(notes(*runs)),
        runs=[
            {"word": word, "name": escape(run.name), "summary": summary(run), "versions": run.versions}
            for word, run in zip(("Before", "After"), runs, strict=True)
        ],
        rows=[_row(each) for each in changes],
        data=[
            _charts(runs[0], [each.before for each in changes], names),
            _charts(runs[1], [each.after for each in changes], names),
        ],
    )


def _row(change: Change) -> dict[str, Any]:
    verdict, count, milliseconds, place, codes, what = cells(change)
    return {
        "verdict": verdict, "count": count, "ms": milliseconds, "place": place, "codes": codes, "what": what,
        "texts": list(_texts(change.before, change.after)),
    }  # fmt: skip


def _texts(before: Side | None, after: Side | None) -> Iterator[tuple[str, str]]:
    """Yield the source of a line, or of both if it was edited, each with its sign in a diff."""
    if before and after and before.text == after.text:
        yield " ", escape(after.text)
        return
    for sign, side in (("-", before), ("+", after)):
        if side is not None:
            yield sign if before and after else " ", escape(side.text)


def _charts(run: Recorded, sides: Sequence[Side | None], names: Sequence[str]) -> dict[str, Any]:
    """Return what the charts of a run are drawn of; `sides` are its lines, as they are named for both runs."""
    found = {row: at for at, side in enumerate(sides) if side is not None for row in side.rows}
    places = [found.get(at, len(sides)) for at in range(len(run.lines))]
    return charts(run.timeline, names, places, is_aligned=True)
