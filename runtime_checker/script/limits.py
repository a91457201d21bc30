"""What makes a run fail: waits that nothing reports, more of them than allowed, or more than were recorded before."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ...lint.fields import FieldError
from ...lint.finding import many, squeezed
from ...lint.measurements.entries import Evidence
from ...lint.measurements.reading import read
from ...lint.output.text import escape
from .report import Report, shown

MOST_TOLD: Final = 5
"""Lines that are named for a limit; how many more there are is told."""
_Statements = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a run; `baseline` is what an earlier one has recorded, in the file `name`."""

    fail_on: tuple[str, ...] = ()
    max_waits: float | None = None
    baseline: Evidence | None = None
    name: str = ""

    @classmethod
    def of(cls, fail_on: tuple[str, ...] = (), max_waits: float | None = None, baseline: str = "") -> Limits:
        """Return the limits that the options set. Raises FieldError."""
        if ("more" in fail_on) != bool(baseline):
            raise FieldError("--fail-on more and --baseline FILE need each other")
        return cls(fail_on, max_waits, read(Path(baseline)) if baseline else None, baseline)

    @property
    def compare(self) -> bool:
        """Whether the run is compared with an earlier one."""
        return self.baseline is not None

    def told(self, report: Report, now: Evidence | None) -> int:
        """Write a line for each limit that is exceeded, and return 1 if there is one. Raises FieldError."""
        found = [*self._too_many(report), *self._missed(report), *self._more(now)]
        for line in found:
            sys.stderr.write(f"synclint: failed: {escape(line)}\n")
        return int(bool(found))

    def _too_many(self, report: Report) -> Iterator[str]:
        ledger = report.window.ledger
        waits = ledger.count / (ledger.steps or 1)
        if self.max_waits is not None and waits > self.max_waits:
            unit = "waits per step" if ledger.steps else "waits in all"
            yield f"{waits:.4g} {unit}, and --max-waits allows {self.max_waits:.4g}"

    def _missed(self, report: Report) -> Iterator[str]:
        rows = [row for row in report.judgement.rows if row.verdict == "missed"] if "missed" in self.fail_on else []
        if rows:
            places = _few([f"{shown(row.filename)}:{row.line}" for row in rows])
            yield f"{many(len(rows), 'line')} waited and nothing reports it: {places}"

    def _more(self, now: Evidence | None) -> Iterator[str]:
        if self.baseline is None or now is None:
            return
        old, new = _by_function(_of_programs(self.baseline, now, self.name)), _by_function(now)
        for (path, function), statements in sorted(new.items()):
            known = old.get((path, function), {})
            before, after = sum(known.values()), sum(statements.values())
            if float(f"{after:.4g}") > float(f"{before:.4g}"):
                more = {text for text, waits in statements.items() if waits > known.get(text, 0.0)}
                added = dict.fromkeys(
                    each.key.statement
                    for each in now.entries
                    if each.key[:2] == (path, function) and squeezed(each.key.statement) in more
                )
                place = f"`{function}` of {path}" if function else path
                yield f"{after:.4g} waits per step in {place}, {before:.4g} in {self.name}: {_few([*added])}"


def _of_programs(baseline: Evidence, now: Evidence, name: str) -> Evidence:
    """Return the runs of a baseline of the same program, on the same device if there is one. Raises FieldError."""
    (this,) = now.runs.values()
    same = {key: run for key, run in baseline.runs.items() if (run.program, run.rank) == (this.program, this.rank)}
    if not same:
        raise FieldError(f"{name} has no run of {this.program}; record one by `synclint run --record {name}`")
    runs = {this.name: same[this.name]} if this.name in same else same
    return Evidence(runs, tuple(each for each in baseline.entries if each.run in runs))


def _by_function(evidence: Evidence) -> dict[tuple[str, str], _Statements]:
    """Return the waits of squeezed statements by file and function; of several rules and runs, the most."""
    lines: dict[tuple[str, str], dict[tuple[str, int], float]] = defaultdict(dict)
    for each in evidence.entries:
        key = each.key
        known = lines[key.path, key.function]
        place = (squeezed(key.statement), key.nth)
        known[place] = max(each.waits, known.get(place, 0.0))
    found: dict[tuple[str, str], _Statements] = {}
    for function, known in lines.items():
        texts: dict[str, float] = defaultdict(float)
        for (text, _), waits in known.items():
            texts[text] += waits
        found[function] = texts
    return found


def _few(names: list[str]) -> str:
    more = f" and {len(names) - MOST_TOLD} more" if len(names) > MOST_TOLD else ""
    return f"{', '.join(names[:MOST_TOLD])}{more}"
