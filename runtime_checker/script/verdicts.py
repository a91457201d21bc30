"""Joins what a run has seen with what the linter reports on the same lines. Pure: plain data in, plain data out.

A wait on a reported line confirms those rules that report waits of its kind (see `proofs`); what else the line waits
for is missed. A wait before the measured steps confirms nothing: it is set-up, or the warm-up. What waits inside of a
library, with no line of the user's around it, is told apart, and is not counted as missed.

A function that is declared to wait may do so in a line of its own, which is then told as well.

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
from ..observe import Ledger, Wait, is_library
from .proofs import is_about_calls, proves
from .steps import Window

Verdict: TypeAlias = Literal["confirmed", "refuted", "not reached", "missed", "set-up only", "in a library"]
VERDICTS: Final[tuple[Verdict, ...]] = ("confirmed", "missed", "refuted", "not reached", "set-up only", "in a library")
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
    """The observations of a run: all waits, the measured part, and the lines that have run (None if not recorded).

    `cut` are the lines in which the program ended: nobody knows what they would have waited for. `called` are the lines
    of lambdas that have run.
    """

    waits: Sequence[Wait]
    window: Window
    rows: Mapping[str, Collection[int]] | None
    cut: Collection[Place] = ()
    called: Mapping[str, Collection[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """The linter's knowledge: its findings, the places where waiting is accepted, the source, which are in lambdas."""

    findings: Sequence[Finding]
    is_accepted: Callable[[str, int], bool] = lambda filename, row: False
    line_of: Callable[[str, int], str] = lambda filename, row: ""
    in_lambda: Callable[[Finding], bool] = lambda finding: False


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

    def leads_to(self, wait: Wait) -> bool:
        """Whether one of the lines has called what waited."""
        return any(self.holds((real(filename), row)) for filename, row, _ in wait.stack)


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
        cause = _set_up_of(place, claims, known, waits) if _is_inside(waits[0]) else None
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
    for claim in claims:
        if not claim.waits and any(is_about_calls(each.code) for each in claim.findings):
            claim.waits += [wait for wait in seen.waits if claim.leads_to(wait)]
    before = {id(wait) for wait in seen.waits[: seen.window.before]}
    bench = _Bench(seen, measured, before, known.in_lambda)
    rows = [bench.row(place, "confirmed", findings, waits) for place, (findings, waits) in set_up.items()]
    rows += [row for claim in claims if not claim.names for row in bench.judged(claim)]
    rows += [
        bench.row(place, "in a library" if is_library(place[0]) else "missed", [], waits)
        for place, waits in missed.items()
    ]
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


def _set_up_of(place: Place, claims: Iterable[_Claim], known: Known, waits: Sequence[Wait]) -> _Claim | None:
    """Return the finding about an object's set-up that a wait proves: the line calls a library on that object."""
    words = set(re.findall(r"\w+", known.line_of(*place)))
    named = [each for each in claims if each.names & words and not each.holds(place) and _proven(each.findings, waits)]
    here = [each for each in named if each.filename == place[0]]
    return next(iter(here or named), None)


def _proven(findings: Iterable[Finding], waits: Sequence[Wait]) -> list[Finding]:
    """Return the findings that report a wait of one of these kinds."""
    kinds = {wait.kind for wait in waits}
    return [each for each in findings if any(proves(each.code, kind) for kind in kinds)]


@dataclass(frozen=True, slots=True)
class _Bench:
    """Builds rows; `measured` and `before` are the identities of the waits in the measured part, and before it."""

    seen: Seen
    measured: Collection[int]
    before: Collection[int] = frozenset()
    in_lambda: Callable[[Finding], bool] = lambda finding: False

    def judged(self, claim: _Claim) -> Iterator[Row]:
        """Yield the rows of a reported line: what is confirmed, what is not, and what it waits for besides."""
        place = (claim.filename, claim.line)
        counted = [wait for wait in claim.waits if not self._is_before(wait)]
        confirmed = _proven(claim.findings, counted)
        if confirmed:
            own = [wait for wait in claim.waits if any(proves(each.code, wait.kind) for each in confirmed)]
            yield self.row(place, "confirmed", confirmed, own)
        others = [each for each in claim.findings if each not in confirmed]
        early = _proven(others, claim.waits)
        if early:
            yield self.row(place, "set-up only", early, [wait for wait in claim.waits if self._is_before(wait)])
        rest = [each for each in others if each not in early and each.kind is Kind.STALL]
        if rest and self.seen.rows is not None:
            yield self.row(place, "refuted" if self._ran(claim) else "not reached", rest, [])
        yield from self._besides(place, claim, confirmed)

    def _besides(self, place: Place, claim: _Claim, confirmed: Sequence[Finding]) -> Iterator[Row]:
        """Yield the measured waits of a reported line that are not what its findings report."""
        measured = [wait for wait in claim.waits if id(wait) in self.measured]
        left = [wait for wait in measured if not any(proves(each.code, wait.kind) for each in confirmed)]
        if left:
            yield self.row((claim.filename, left[0].row), "missed", [], left)

    def _is_before(self, wait: Wait) -> bool:
        """Whether a wait was over before the measured steps began."""
        return id(wait) in self.before

    def _ran(self, claim: _Claim) -> bool:
        if claim.waits or any(map(claim.holds, self.seen.cut)):
            return claim.waits != []
        ran = self.seen.called if all(map(self.in_lambda, claim.findings)) else self.seen.rows or {}
        rows = ran.get(claim.filename, ())
        return any(row in rows for row in range(claim.line, claim.end + 1))

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
