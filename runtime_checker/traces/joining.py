"""Joins the waits of a trace with the program's lines, and says how sure each match is.

A trace tells a function by the line of its `def`, and an operator by name, but before torch 2.14 no line of a call.
What remains is told by the operations that the linter knows in that function: one that fits is certain; several that
fit are told apart by order if every call of the function waited once for each; otherwise any of them may be the one.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from ...lint.finding import Finding, Kind
from .waits import Frame, Span, Trace, Traced, frame_of

Certainty: TypeAlias = Literal["exact", "certain", "by order", "one of several", "function only"]
Verdict: TypeAlias = Literal["confirmed", "not reported", "never seen", "not in the trace"]
VERDICTS: Final[tuple[Verdict, ...]] = ("confirmed", "not reported", "never seen", "not in the trace")

_READS: Final = frozenset({"item", "_local_scalar_dense", "is_nonzero", "any", "all", "equal"})
_FITS: Final[Mapping[str, frozenset[str]]] = {
    "Truth": _READS,
    "Convert": _READS | {"__format__", "__repr__", "__str__", "to", "_to_copy", "copy_"},
    "Iterate": _READS | {"unbind", "tolist"},
    "Index": frozenset({"index", "getitem", "nonzero", "item", "_local_scalar_dense", "copy_"}),
    "IndexWrite": frozenset({"index_put_", "setitem", "nonzero", "copy_", "masked_fill_", "_index_put_impl_"}),
}
"""Operators that each kind of the linter's operations runs; a call runs the one of its name."""


@dataclass(frozen=True, slots=True)
class Place:
    """An operation of the program: its file, its line, the function around it, and the operators that it may run."""

    filename: str
    row: int
    function: str
    operators: frozenset[str]


def operators_of(kind: str, name: str) -> frozenset[str]:
    """Return the operators that an operation runs, by the kind of the operation and the name of what it calls."""
    return _FITS.get(kind) or frozenset({name.rpartition(".")[2].strip("?()")})


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
    """A wait seen from the program: the innermost function of its own, when that began, and the operators within."""

    filename: str
    frame: Frame
    began: float
    operators: tuple[str, ...]
    wait: Traced
    row: int | None = None


def join(trace: Trace, files: Sequence[str], places: Sequence[Place], findings: Sequence[Finding]) -> Joined:
    """Return where the waits of a trace are, with the findings that they confirm, and the findings not seen."""
    index = _Files(files)
    calls, elsewhere = [], []
    for wait in trace.waits:
        call = _call(wait, index)
        calls.append(call) if call else elsewhere.append(wait)
    found: dict[tuple[str, tuple[int, ...], Certainty, str], Match] = {}
    for group in _groups(calls).values():
        for rows, certainty, call in _placed(group, places):
            key = (call.filename, rows, certainty, call.operators[0] if call.operators else "")
            if key not in found:
                found[key] = Match(call.filename, rows, call.frame.function, certainty, "not reported", key[3])
            found[key].waits.append(call.wait)
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
            operators = tuple(_plain(span.name) for span in within)
            return _Call(filename, frame, spans[at].start, operators, wait, _row(within, frame))
    return None


def _row(within: Sequence[Span], frame: Frame) -> int | None:
    """Return the line of a function that called what waited, if the trace knows it."""
    callers = (span.caller.rpartition(":") for span in within[:1])
    return next((int(row) for file, _, row in callers if file == frame.filename and row.isdigit()), None)


def _plain(name: str) -> str:
    """Return an operator's name: of `aten::item`, `<built-in method item of Tensor …>` and `torch/x.py(3): item`."""
    if frame := frame_of(name):
        return frame.function
    words = name.split()
    if name.startswith("<built-in") and len(words) > 2:
        return words[2].rstrip(">")
    return name.rpartition("::")[2]


def _groups(calls: Iterable[_Call]) -> dict[tuple[str, Frame], list[_Call]]:
    groups: dict[tuple[str, Frame], list[_Call]] = defaultdict(list)
    for call in calls:
        groups[call.filename, call.frame].append(call)
    return groups


def _placed(group: Sequence[_Call], places: Sequence[Place]) -> Iterator[tuple[tuple[int, ...], Certainty, _Call]]:
    """Yield each wait of a function with the rows where it may be."""
    first = group[0]
    inside = [each for each in places if each.filename == first.filename and _is_in(each, first.frame.function)]
    by_rows: dict[tuple[int, ...], list[_Call]] = defaultdict(list)
    for call in group:
        if call.row is None:
            by_rows[_rows(call, inside)].append(call)
        else:
            yield (call.row,), "exact", call
    for rows, calls in by_rows.items():
        if len(rows) == 1:
            yield from ((rows, "certain", call) for call in calls)
        elif not rows:
            yield from (((call.frame.line,), "function only", call) for call in calls)
        else:
            yield from _by_order(rows, calls)


def _is_in(place: Place, function: str) -> bool:
    return place.function.rpartition(".")[2] == function or (not place.function and function == "<module>")


def _rows(call: _Call, places: Iterable[Place]) -> tuple[int, ...]:
    """Return the rows whose operations run the operator that waited: the outermost one that any operation runs."""
    places = tuple(places)
    for operator in call.operators:
        rows = {place.row for place in places if operator in place.operators}
        if rows:
            return tuple(sorted(rows))
    return ()


def _by_order(rows: tuple[int, ...], calls: Sequence[_Call]) -> Iterator[tuple[tuple[int, ...], Certainty, _Call]]:
    """Tell rows apart by order, where each call of the function waited as often as there are rows."""
    counts = Counter(call.began for call in calls)
    ordered = sorted(calls, key=lambda call: (call.began, call.wait.start))
    if set(counts.values()) != {len(rows)}:
        yield from ((rows, "one of several", call) for call in ordered)
        return
    for at, call in enumerate(ordered):
        yield (rows[at % len(rows)],), "by order", call


def _is_at(finding: Finding, match: Match) -> bool:
    """Whether a finding is on one of the lines that a match may mean."""
    span = finding.span
    return match.filename == span.filename and any(span.row <= row <= span.end_row for row in match.rows)


def _unseen(finding: Finding, trace: Trace, files: _Files, places: Sequence[Place]) -> Match:
    """Return the row of a finding that no wait confirms: its function ran without waiting, or is not in the trace."""
    span = finding.span
    here = [
        each.function.rpartition(".")[2] for each in places if (each.filename, each.row) == (span.filename, span.row)
    ]
    function = here[0] if here else ""
    wanted = function or "<module>"
    ran = any(each.function == wanted and files.find(each.filename) == span.filename for each in trace.functions)
    verdict: Verdict = "never seen" if ran else "not in the trace"
    return Match(span.filename, (span.row,), function, "certain", verdict, findings=[finding])
