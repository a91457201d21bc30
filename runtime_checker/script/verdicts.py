"""Joins what a run has seen with what the linter reports on the same lines. Pure: plain data in, plain data out.

A wait on a reported line confirms the finding, whatever it was for. PyTorch's debug mode reports only the line of a
wait; the operator, and with it what was waited for, is inferred from the line's bytecode, which is good enough to be
shown next to the verdict but not to overrule it: a `to` may copy either way, and indexing with a list copies while
indexing with a mask reads a size. If a line waits for two reasons, `waits for` shows both.

A finding about set-up is confirmed elsewhere, where its object is used; a barrier proves nothing there, because no
argument of an object's set-up causes one.
"""

from __future__ import annotations

import ast
import functools
import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from ...lint.finding import Finding, Kind
from ..observe import Ledger, Wait
from .steps import Window

Verdict: TypeAlias = Literal["confirmed", "refuted", "not reached", "missed"]
VERDICTS: Final[tuple[Verdict, ...]] = ("confirmed", "missed", "refuted", "not reached")
Place: TypeAlias = tuple[str, int]

real: Final = functools.cache(os.path.realpath)


@dataclass(frozen=True, slots=True)
class Row:
    """A line with its verdict, its findings, and what it cost.

    `waits` covers the whole run; the numbers per step are those of the measured steps.
    """

    filename: str
    line: int
    verdict: Verdict
    findings: tuple[Finding, ...]
    waits: tuple[Wait, ...] = ()
    count_per_step: float | None = None
    seconds_per_step: float | None = None
    share: float | None = None

    @property
    def codes(self) -> tuple[str, ...]:
        """The rules that report the line, the most severe first."""
        return tuple(dict.fromkeys(each.code for each in self.findings))

    @property
    def cost(self) -> tuple[float, float, int, str, int]:
        """A key that sorts the worst first."""
        seldom = len(self.waits) / 1e9
        often = -(self.count_per_step if self.count_per_step is not None else 0.0) - seldom
        return (-(self.seconds_per_step or 0.0), often, VERDICTS.index(self.verdict), self.filename, self.line)


@dataclass(frozen=True, slots=True)
class Seen:
    """The observations of a run: all waits, the measured part, and the lines that have run (None if not recorded)."""

    waits: Sequence[Wait]
    window: Window
    rows: Mapping[str, Collection[int]] | None


@dataclass(frozen=True, slots=True)
class Known:
    """The linter's knowledge: its findings, the places where waiting is accepted, the source."""

    findings: Sequence[Finding]
    is_accepted: Callable[[str, int], bool] = lambda filename, row: False
    line_of: Callable[[str, int], str] = lambda filename, row: ""


@dataclass(slots=True)
class _Claim:
    """The findings on one line, and the waits that prove them."""

    filename: str
    line: int
    end: int
    findings: list[Finding]
    names: frozenset[str] = frozenset()
    waits: list[Wait] = field(default_factory=list)

    def holds(self, place: Place) -> bool:
        """Whether a line is one of the reported ones."""
        return self.filename == place[0] and self.line <= place[1] <= self.end


@dataclass(frozen=True, slots=True)
class Judgement:
    """The rows, worst first; how many findings no wait can judge, and how many waits the program's author accepts."""

    rows: tuple[Row, ...]
    unjudged: int = 0
    accepted: int = 0


def judge(seen: Seen, known: Known) -> Judgement:
    """Return a verdict for each reported line, and for each unreported line that waited in the measured part."""
    claims = list(_claims(known))
    measured = {id(wait) for wait in seen.window.ledger.waits}
    set_up: dict[Place, tuple[list[Finding], list[Wait]]] = {}
    missed: dict[Place, list[Wait]] = {}
    accepted = 0
    for place, waits in _by_place(seen.waits):
        cause = _set_up_of(place, claims, known) if _is_inside(waits[0]) else None
        if claim := _claim_of(place, claims):
            claim.waits += waits
            claim.findings += [each for each in cause.findings if each not in claim.findings] if cause else []
        elif cause:
            set_up.setdefault(place, (cause.findings, []))[1].extend(waits)
        elif costly := [wait for wait in waits if id(wait) in measured]:
            if known.is_accepted(*place):
                accepted += len(costly)
            else:
                missed.setdefault(place, []).extend(costly)
    bench = _Bench(seen, measured)
    rows = [bench.row(place, "confirmed", findings, waits) for place, (findings, waits) in set_up.items()]
    rows += [row for claim in claims if not claim.names and (row := bench.judged(claim))]
    rows += [bench.row(place, "missed", [], waits) for place, waits in missed.items()]
    judged = {id(finding) for row in rows for finding in row.findings}
    unjudged = sum(id(finding) not in judged for claim in claims for finding in claim.findings)
    return Judgement(tuple(sorted(rows, key=lambda row: row.cost)), unjudged, accepted)


def _by_place(waits: Iterable[Wait]) -> Iterator[tuple[Place, list[Wait]]]:
    """Yield the waits of each line, those of the line itself apart from those of library objects it uses."""
    groups: dict[tuple[str, int, bool], list[Wait]] = defaultdict(list)
    for wait in waits:
        groups[real(wait.filename), wait.row, _is_inside(wait)].append(wait)
    for (filename, row, _), group in groups.items():
        yield (filename, row), group


def _is_inside(wait: Wait) -> bool:
    """Whether a library object waits for a value, a size or a copy of its own."""
    return wait.library is not None and wait.kind != "synchronize"


def _claims(known: Known) -> Iterator[_Claim]:
    """Yield the findings about the program, grouped by line; those about set-up separately."""
    by_line: dict[Place, list[Finding]] = defaultdict(list)
    for finding in sorted(known.findings, key=lambda each: (-each.severity, each.code)):
        if finding.kind is Kind.SETUP and (names := _names(finding.statement)):
            span = finding.span
            yield _Claim(real(span.filename), span.row, span.end_row, [finding], names)
        elif finding.kind is not Kind.META:
            by_line[real(finding.span.filename), finding.span.row].append(finding)
    for (filename, line), findings in by_line.items():
        yield _Claim(filename, line, max(each.span.end_row for each in findings), findings)


def _names(statement: str) -> frozenset[str]:
    """Return what a statement binds: for `self.mean_loss = MeanMetric()`, mean_loss."""
    try:
        body = ast.parse(statement).body
    except (SyntaxError, ValueError):
        return frozenset()
    targets: list[ast.expr] = []
    for each in body:
        targets += (
            each.targets if isinstance(each, ast.Assign) else [each.target] if isinstance(each, ast.AnnAssign) else []
        )
    return frozenset(
        target.attr if isinstance(target, ast.Attribute) else target.id
        for target in targets
        if isinstance(target, ast.Attribute | ast.Name)
    )


def _claim_of(place: Place, claims: Iterable[_Claim]) -> _Claim | None:
    """Return the narrowest finding whose lines contain that of a wait."""
    around = [each for each in claims if each.holds(place) and not each.names]
    return min(around, key=lambda each: each.end - each.line, default=None)


def _set_up_of(place: Place, claims: Iterable[_Claim], known: Known) -> _Claim | None:
    """Return the finding about an object's set-up that a wait proves: the line calls a library on that object."""
    words = set(re.findall(r"\w+", known.line_of(*place)))
    named = [each for each in claims if each.names & words and not each.holds(place)]
    here = [each for each in named if each.filename == place[0]]
    return next(iter(here or named), None)


@dataclass(frozen=True, slots=True)
class _Bench:
    """Builds rows; `measured` are the identities of the waits in the measured part."""

    seen: Seen
    measured: Collection[int]

    def judged(self, claim: _Claim) -> Row | None:
        """Return the row of a finding; none if waits cannot judge it."""
        place = (claim.filename, claim.line)
        if claim.waits:
            return self.row(place, "confirmed", claim.findings, claim.waits)
        findings = [each for each in claim.findings if each.kind is Kind.STALL]
        if not findings or self.seen.rows is None:
            return None
        rows = self.seen.rows.get(claim.filename, ())
        ran = any(row in rows for row in range(claim.line, claim.end + 1))
        return self.row(place, "refuted" if ran else "not reached", findings, [])

    def row(self, place: Place, verdict: Verdict, findings: Sequence[Finding], waits: Sequence[Wait]) -> Row:
        """Return the row of a line with its cost per measured step."""
        window = self.seen.window
        steps = window.ledger.steps
        ledger = Ledger([wait for wait in waits if id(wait) in self.measured], steps)
        seconds = ledger.seconds / steps if ledger.seconds is not None and steps else None
        return Row(
            filename=place[0],
            line=place[1],
            verdict=verdict,
            findings=tuple(findings),
            waits=tuple(waits),
            count_per_step=ledger.count / steps if steps else None,
            seconds_per_step=seconds,
            share=seconds / window.step_seconds if seconds is not None and window.step_seconds else None,
        )
