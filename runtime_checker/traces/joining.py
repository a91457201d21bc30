"""Joins the waits of a trace with the program's lines, and says how sure each match is.

A trace tells a function by the line of its `def`, and an operator by name, but before torch 2.14 no line of a call.
What remains is told by the places of that function where something may wait: if all that fit are on one line, it is
certain; several are told apart by order if every call of the function waited once for each; otherwise any of them may
be the one.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from ...lint.finding import Finding, Kind
from .below import Below, Fitting, below
from .places import Places
from .waits import Frame, Span, Trace, Traced, frame_of

Certainty: TypeAlias = Literal["exact", "certain", "by order", "one of several", "function only"]
Verdict: TypeAlias = Literal["confirmed", "not reported", "never seen", "not in the trace"]
VERDICTS: Final[tuple[Verdict, ...]] = ("confirmed", "not reported", "never seen", "not in the trace")

PlacesOf: TypeAlias = Callable[[str], Places]


@dataclass(slots=True)
class Match:
    """The waits of a line: of one if it is known, of all that may be meant otherwise."""

    filename: str
    rows: tuple[int, ...]
    function: str
    certainty: Certainty
    verdict: Verdict
    operator: str = ""
    waits: list[Traced] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """The time of all its waits."""
        return sum(wait.seconds for wait in self.waits)


@dataclass(frozen=True, slots=True)
class Joined:
    """The matches, most expensive first, and the waits without a line of the program."""

    matches: list[Match]
    elsewhere: list[Traced]


@dataclass(frozen=True, slots=True)
class _Call:
    """A wait seen from the program: the innermost function of its own, when that began, and what is below it."""

    filename: str
    frame: Frame
    began: float
    below: Below
    wait: Traced
    row: int | None = None


@dataclass(frozen=True, slots=True)
class _Placed:
    """A wait and the lines where it may be."""

    call: _Call
    rows: tuple[int, ...]
    certainty: Certainty
    operator: str


def join(trace: Trace, files: Sequence[str], places: PlacesOf, findings: Sequence[Finding]) -> Joined:
    """Return where the waits of a trace are, with the findings that they confirm, and the findings not seen."""
    index = _Files(files)
    calls, elsewhere = [], []
    for wait in trace.waits:
        call = _call(wait, index)
        calls.append(call) if call else elsewhere.append(wait)
    found: dict[tuple[str, tuple[int, ...], Certainty, str], Match] = {}
    for (filename, frame), group in _groups(calls).items():
        for each in _placed(group, frame, places(filename)):
            key = (filename, each.rows, each.certainty, each.operator)
            if key not in found:
                found[key] = Match(filename, each.rows, frame.function, each.certainty, "not reported", each.operator)
            found[key].waits.append(each.call.wait)
    matches = list(found.values())
    for match in matches:
        match.findings = [each for each in findings if _is_at(each, match)]
        match.verdict = "confirmed" if match.findings else "not reported"
    seen = {id(finding) for match in matches for finding in match.findings}
    if trace.functions and trace.has_calls:  # otherwise nothing is known about where the program was, or what waited
        unseen = (each for each in findings if id(each) not in seen and each.kind is Kind.STALL)
        matches += [_unseen(each, trace, index, places) for each in unseen]
    return Joined(sorted(matches, key=lambda match: (-match.seconds, match.filename, match.rows)), elsewhere)


class _Files:
    """The program's files, found by the end of a path: a trace was often made elsewhere."""

    def __init__(self, files: Iterable[str]) -> None:
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for file in files:
            self._by_name[os.path.basename(file)].append(file)

    def find(self, name: str) -> str | None:
        """Return the file with the longest end in common, if it is only one and no part of a library."""
        parts = name.replace("\\", "/").split("/")
        if "site-packages" in parts or "dist-packages" in parts:
            return None
        scored = [(_common(parts, file), file) for file in self._by_name.get(parts[-1], ())]
        best = max((score for score, _ in scored), default=0)
        files = [file for score, file in scored if score == best]
        return files[0] if len(files) == 1 else None


def _common(parts: Sequence[str], file: str) -> int:
    """Return how many names at the end of two paths are the same."""
    count = 0
    for one, other in zip(reversed(parts), reversed(file.replace("\\", "/").split("/")), strict=False):
        if one != other:
            break
        count += 1
    return count


def _call(wait: Traced, files: _Files) -> _Call | None:
    spans = wait.spans
    for at in range(len(spans) - 1, -1, -1):
        frame = frame_of(spans[at].name)
        if frame and (filename := files.find(frame.filename)):
            within = spans[at + 1 :]
            return _Call(filename, frame, spans[at].start, below(within), wait, _row(within, frame))
    return None


def _row(within: Sequence[Span], frame: Frame) -> int | None:
    """Return the line of a function that called what waited, if the trace knows it."""
    callers = (span.caller.rpartition(":") for span in within[:1])
    return next((int(row) for file, _, row in callers if file == frame.filename and row.isdigit()), None)


def _groups(calls: Iterable[_Call]) -> dict[tuple[str, Frame], list[_Call]]:
    groups: dict[tuple[str, Frame], list[_Call]] = defaultdict(list)
    for call in calls:
        groups[call.filename, call.frame].append(call)
    return groups


def _placed(group: Sequence[_Call], frame: Frame, places: Places) -> Iterator[_Placed]:
    """Yield each wait of a function with the rows where it may be."""
    inside = places.inside(frame)
    known: dict[tuple[Below, int | None], Fitting] = {}
    by_fitting: dict[Fitting, list[_Call]] = defaultdict(list)
    for call in group:
        key = call.below, call.row
        if key not in known:
            known[key] = call.below.fitting(inside if call.row is None else places.at(call.row))
        if call.row is None:
            by_fitting[known[key]].append(call)
        else:
            yield _Placed(call, (call.row,), "exact", known[key].name)
    for fitting, calls in by_fitting.items():
        rows = tuple(sorted({place.row for place in fitting.possible}))
        if len(rows) > 1:
            yield from _by_order(fitting, rows, calls)
        else:
            certainty: Certainty = "certain" if rows else "function only"
            yield from (_Placed(call, rows or (frame.line,), certainty, fitting.name) for call in calls)


def _by_order(fitting: Fitting, rows: tuple[int, ...], calls: Sequence[_Call]) -> Iterator[_Placed]:
    """Tell places apart by order, where each call of the function waited as often as there are places."""
    counts = set(Counter(call.began for call in calls).values())
    told = next((each for each in (fitting.sure, fitting.possible) if counts == {len(each)}), ())
    for at, call in enumerate(sorted(calls, key=lambda each: (each.began, each.wait.start))):
        if told:
            yield _Placed(call, (told[at % len(told)].row,), "by order", fitting.name)
        else:
            yield _Placed(call, rows, "one of several", fitting.name)


def _is_at(finding: Finding, match: Match) -> bool:
    """Whether a finding is on one of the lines that a match may mean."""
    span = finding.span
    return match.filename == span.filename and any(span.row <= row <= span.end_row for row in match.rows)


def _unseen(finding: Finding, trace: Trace, files: _Files, places: PlacesOf) -> Match:
    """Return the row of a finding that no wait confirms: its function ran without waiting, or is not in the trace."""
    span = finding.span
    function = places(span.filename).function_at(span.row)
    wanted = function or "<module>"
    ran = any(each.function == wanted and files.find(each.filename) == span.filename for each in trace.functions)
    verdict: Verdict = "never seen" if ran else "not in the trace"
    return Match(span.filename, (span.row,), function, "certain", verdict, findings=[finding])
