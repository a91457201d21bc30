"""Two runs as a table for people and as JSON for machines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ...lint.output.aligned import aligned
from ...lint.output.text import escape
from .changes import VERDICTS, Change, Side
from .recorded import Recorded

HEAD: Final = ("change", "waits/step", "ms/step", "line", "rule", "waits for")


def table(runs: tuple[Recorded, Recorded], changes: Sequence[Change]) -> Iterator[str]:
    """Yield the lines for people: what got worse first, then a closing note that counts."""
    for word, run in zip(("before", "after"), runs, strict=True):
        yield f"synclint: {word}: {escape(run.name)}: {summary(run)}"
    if changes:
        yield ""
        yield from aligned([HEAD, *map(cells, changes)])
        yield ""
    yield f"synclint: {closing(changes)}"
    yield from (f"synclint: {note}" for note in notes(*runs))


def summary(run: Recorded) -> str:
    """Return one line that says how much waited."""
    device = escape(run.device)
    if not run.steps or run.waits_per_step is None:
        return f"{device}: no optimizer stepped; {_many(len(run.timeline['ended_ms']), 'wait')} in total."
    text = f"{device}: {_many(run.steps, 'step')} measured: {run.waits_per_step:.4g} waits per step"
    if run.blocked_ms_per_step is not None:
        text += f", {run.blocked_ms_per_step:.2f} ms of it blocked"
    if run.step_ms is not None:
        text += f", a step takes {run.step_ms:.2f} ms"
    return f"{text}."


def cells(change: Change) -> tuple[str, ...]:
    """Return the cells of a line: what became of it, its waits and milliseconds, its place, rules and operators."""
    before, after = change.before, change.after
    return (
        change.verdict,
        _arrow(*(f"{count:.4g}" for count in change.counts)),
        _arrow(*(_ms(side) for side in (before, after))),
        escape(place(change)),
        " ".join(change.side.codes) or "-",
        escape("; ".join((change.side if change.side.waits_for else before or change.side).waits_for)) or "-",
    )


def place(change: Change) -> str:
    """Return the line as it is now, with the one that it was if that is another."""
    side, before = change.side, change.before
    now = f"{side.filename}:{side.line}"
    if before is None or (before.filename, before.line) == (side.filename, side.line):
        return now
    return f"{now} (was {before.line if before.filename == side.filename else f'{before.filename}:{before.line}'})"


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"


def _ms(side: Side | None) -> str:
    return "-" if side is None or side.blocked_ms is None else f"{side.blocked_ms:.2f}"


def closing(changes: Sequence[Change]) -> str:
    """Return one line that counts what became of the lines."""
    counts = Counter(each.verdict for each in changes)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS) + "."


def notes(before: Recorded, after: Recorded) -> Iterator[str]:
    """Yield what makes two runs hard to compare."""
    if before.device != after.device:
        yield f"the runs were watched on different devices: {escape(before.device)}, and {escape(after.device)}."
    if bool(before.steps) != bool(after.steps):
        yield "only one of the runs has steps: its waits are counted per step, those of the other in total."
    for name in sorted(before.versions.keys() & after.versions.keys()):
        if before.versions[name] != after.versions[name]:
            yield f"{escape(name)} was {escape(before.versions[name])}, and is {escape(after.versions[name])}."


def as_json(runs: tuple[Recorded, Recorded], changes: Sequence[Change]) -> Iterator[str]:
    """Yield one object with all numbers."""
    record = {
        **{word: _run(run) for word, run in zip(("before", "after"), runs, strict=True)},
        "changes": [
            {"change": each.verdict, "before": _side(each.before), "after": _side(each.after)} for each in changes
        ],
    }
    yield json.dumps(record, indent=2)


def _run(run: Recorded) -> dict[str, Any]:
    return {
        "report": run.name,
        "device": run.device,
        "steps": run.steps,
        "waits_per_step": run.waits_per_step,
        "blocked_ms_per_step": run.blocked_ms_per_step,
        "step_ms": run.step_ms,
        "versions": dict(run.versions),
    }


def _side(side: Side | None) -> dict[str, Any] | None:
    if side is None:
        return None
    return {
        "filename": side.filename,
        "line": side.line,
        "text": side.text,
        "codes": list(side.codes),
        "waits_for": list(side.waits_for),
        "count": side.count,
        "blocked_ms": side.blocked_ms,
    }


def _many(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
