"""The report of a run: a table for people, JSON for machines, and confirmed findings in the linter's formats."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ...lint.finding import Finding
from ...lint.output.aligned import aligned
from ...lint.output.outcome import Outcome
from ...lint.output.targets import renderer
from ...lint.output.text import escape
from .inside import Said, name_of, places
from .inside import lines as inside
from .program import programs_part
from .steps import Window
from .verdicts import VERDICTS, Judgement, Row

_HEAD: Final = ("verdict", "waits/step", "ms/step", "share", "line", "rule", "waits for")
MOST_UNREACHED: Final = 10
"""The number of lines that did not run that are shown."""
_ALWAYS: Final = VERDICTS[:4]
"""The verdicts that are counted even if there is none."""
Lines = Callable[[str], Sequence[str]]
_NUMBERS: Final = range(1, 4)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything to report about a run; `notes` are sentences about the run itself."""

    device: str
    window: Window
    judgement: Judgement
    notes: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    has_clock: bool = True
    started: float = 0.0
    said: Said = field(default_factory=dict)


def table(report: Report) -> Iterator[str]:
    """Yield the lines for people: worst first, then a closing note that counts the verdicts."""
    yield f"synclint: {summary(report)}"
    rows, left_out = _worth_a_line(report.judgement.rows)
    if rows:
        head, *lines = aligned([_HEAD, *(cells(row, report.window) for row in rows)], right=_NUMBERS)
        yield ""
        yield head
        for row, line in zip(rows, lines, strict=True):
            yield line
            yield from (f"    {text}" for text in inside(row, report.window, report.said))
        if left_out:
            yield f"and {_many(left_out, 'more line')} not reached; `--output json` has all"
        yield ""
    yield f"synclint: {closing(report)}"
    yield from (f"synclint: {escape(note)}" for note in report.notes)


def _worth_a_line(rows: Sequence[Row]) -> tuple[Sequence[Row], int]:
    """Return the rows to show, and how many are left out: there is nothing to do about many that did not run."""
    unreached = [row for row in rows if row.verdict == "not reached"][MOST_UNREACHED:]
    gone = {id(row) for row in unreached}
    return [row for row in rows if id(row) not in gone], len(gone)


def summary(report: Report) -> str:
    """Return one line that says how much waited."""
    window, ledger = report.window, report.window.ledger
    if not ledger.steps:
        blocked = f", {_ms(ledger.seconds)} ms blocked" if ledger.seconds is not None else ""
        return f"{report.device}: no optimizer stepped; {_many(ledger.count, 'wait')} in total{blocked}."
    often = f"{ledger.count / ledger.steps:.4g}"
    parts = [f"{often} wait{'' if often == '1' else 's'} per step"]
    if ledger.seconds is not None:
        parts.append(f"{_ms(ledger.seconds / ledger.steps)} ms of it blocked")
    if window.step_seconds is not None and report.has_clock:
        parts.append(f"a step takes {_ms(window.step_seconds)} ms")
    measured = f"{_many(ledger.steps, 'step')} measured after {_many(window.skipped, 'warm-up step')}"
    head = f"{report.device}: {measured}: {', '.join(parts)}."
    outside = f" Outside these steps: {_many(window.before, 'wait')} before, {window.after} after."
    return head + (outside if window.before or window.after else "")


def cells(row: Row, window: Window) -> tuple[str, ...]:
    """Return verdict, waits per step, milliseconds per step, share, line, rules, and what is waited for."""
    count = f"{row.count_per_step:.4g}" if row.count_per_step else f"{len(row.waits)} in all"
    return (
        row.verdict,
        count if row.waits else "-",
        _ms(row.seconds_per_step) if row.seconds_per_step is not None else "-",
        f"{row.share:.1%}" if row.share is not None else "-",
        f"{escape(shown(row.filename))}:{row.line}",
        " ".join(row.codes) or "-",
        escape(_what(row)),
    )


def _what(row: Row) -> str:
    """Return which operators waited for what, and where, if that is a single place in a library."""
    operators = ", ".join(sorted({f"{wait.operator} ({wait.kind})" for wait in row.waits}))
    found = {wait.library for wait in row.waits}
    place = name_of(*found) if len(found) == 1 else ""
    return f"{operators} in {place}" if place else operators


def closing(report: Report) -> str:
    """Return one line that counts the verdicts."""
    counts = Counter(row.verdict for row in report.judgement.rows)
    text = ", ".join(f"{counts[each]} {each}" for each in VERDICTS if counts[each] or each in _ALWAYS)
    if report.judgement.unjudged:
        text += f"; {_many(report.judgement.unjudged, 'finding')} that no wait in this run can confirm or refute"
    if report.judgement.accepted:
        text += f"; {_many(report.judgement.accepted, 'wait')} on lines where waiting is accepted"
    return f"{text}."


def as_json(report: Report, lines: Lines, when: Mapping[str, Any]) -> Iterator[str]:
    """Yield one object with all numbers; times are in milliseconds, or null if unknown. `when` is the timeline."""
    ledger, steps = report.window.ledger, report.window.ledger.steps
    record = {
        "device": report.device,
        "steps": steps,
        "summary": {
            "waits_per_step": ledger.count / steps if steps else None,
            "blocked_ms_per_step": _in_ms(ledger.seconds / steps if steps and ledger.seconds is not None else None),
            "step_ms": _in_ms(report.window.step_seconds) if report.has_clock else None,
            "waits_before": report.window.before,
            "waits_after": report.window.after,
        },
        "versions": dict(report.versions),
        "lines": [_line(row, report, lines) for row in report.judgement.rows],
    }
    yield json.dumps(record, indent=2).removesuffix("\n}") + ","
    yield f'  "timeline": {json.dumps(when, separators=(",", ":"))}'
    yield "}"


def _line(row: Row, report: Report, lines: Lines) -> dict[str, Any]:
    stack = programs_part(row.waits[0].stack) if row.waits else ()
    return {
        "filename": shown(row.filename),
        "line": row.line,
        "text": "".join(lines(row.filename)[row.line - 1 : row.line]).strip(),
        "verdict": row.verdict,
        "code": next(iter(row.codes), None),
        "codes": list(row.codes),
        "operators": sorted({wait.operator for wait in row.waits}),
        "kinds": sorted({wait.kind for wait in row.waits}),
        "count": len(row.waits),
        "count_per_step": row.count_per_step,
        "blocked_ms_per_step": _in_ms(row.seconds_per_step),
        "share_of_step": row.share,
        "library": [place.record for place in places(row, report.window, report.said)],
        "ended_ms": [_in_ms(wait.ended - report.started) for wait in (row.waits[0], row.waits[-1])]
        if row.waits
        else None,
        "stack": [{"filename": shown(name), "line": line, "function": function} for name, line, function in stack],
    }


def confirmed(report: Report) -> list[Finding]:
    """Return the findings that the run has confirmed, each with what was seen in its message."""
    found: dict[int, Finding] = {}
    for row in report.judgement.rows:
        for finding in row.findings if row.verdict == "confirmed" else ():
            found.setdefault(id(finding), replace(finding, message=f"{finding.message}; {_proof(row, report)}"))
    return sorted(found.values(), key=lambda each: each.sort_key)


def _proof(row: Row, report: Report) -> str:
    often = f"{len(row.waits)} in total, none of them in the measured steps"
    if row.count_per_step:
        often = f"{row.count_per_step:.4g} per step"
    elif row.count_per_step is None:
        often = f"{len(row.waits)} in total"
    blocked = f", {_ms(row.seconds_per_step)} ms" if row.seconds_per_step else ""
    return f"confirmed on {report.device}: waits {often}{blocked}"


def rendered(report: Report, form: str, lines: Lines) -> Iterator[str]:
    """Return the confirmed findings in one of the linter's formats; `lines` reads a file."""
    found = confirmed(report)
    return renderer(form)(Outcome(found, lines, files=len({each.span.filename for each in found}), notes=True))


def shown(filename: str) -> str:
    """Return the path relative to here, if it is below here."""
    here = os.path.realpath(os.getcwd()) + os.sep
    return filename.removeprefix(here)


def _ms(seconds: float | None) -> str:
    return f"{(seconds or 0) * 1000:.2f}"


def _in_ms(seconds: float | None) -> float | None:
    return None if seconds is None else seconds * 1000


def _many(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def versions() -> dict[str, str]:
    """Return the versions of what has taken part."""
    names = ("synclint", "torch", "torchmetrics", "lightning", "transformers", "accelerate")
    found = {name: getattr(sys.modules.get(name), "__version__", None) for name in names}
    return {"python": platform.python_version(), **{name: str(text) for name, text in found.items() if text}}
