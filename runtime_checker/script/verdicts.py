"""Joins what a run has seen with what the linter reports on the same lines. Pure: plain data in, plain data out.

A wait on a reported line confirms those rules that report waits of its kind (see `proofs`); what else the line waits
for is missed. A wait before the measured steps confirms nothing: it is set-up, or the warm-up. What waits inside of a
library, with no line of the user's around it, is told apart, and is not counted as missed.

A function that is declared to wait may do so in a line of its own, which is then told as well.

A finding about set-up is judged elsewhere: where the very object that its line makes is used, and does there what the
set-up asks for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from ...lint.finding import Finding, Kind
from ..observe import Ledger, Wait, is_library
from .lines import Ran, Region, real
from .proofs import ANYWHERE, CHECKS, is_about_calls, proves
from .steps import Window

Verdict: TypeAlias = Literal["confirmed", "refuted", "not reached", "missed", "only before", "unclear", "in a library"]
VERDICTS: Final[tuple[Verdict, ...]] = (
    "confirmed", "missed", "refuted", "not reached", "only before", "unclear", "in a library",
)  # fmt: skip
Place: TypeAlias = tuple[str, int]


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
    """The observations of a run: all waits, the measured part, and what of each file ran (None if not recorded).

    `cut` are the lines in which the program ended: nobody knows what they would have waited for.
    """

    waits: Sequence[Wait]
    window: Window
    ran: Mapping[str, Ran] | None
    cut: Collection[Place] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """The linter's knowledge: its findings, and the places where waiting is accepted."""

    findings: Sequence[Finding]
    is_accepted: Callable[[str, int], bool] = lambda filename, row: False


@dataclass(slots=True)
class _Claim:
    """The findings on one line, and the waits that prove them."""

    filename: str
    line: int
    end: int
    findings: list[Finding]
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
    claims, set_ups = _claims(known)
    measured = frozenset(id(wait) for wait in seen.window.ledger.waits)
    bench = _Bench(seen, measured, {id(wait) for wait in seen.waits[: seen.window.before]})
    rows: list[Row] = []
    missed: dict[Place, list[Wait]] = {}
    accepted = 0
    for place, waits in _by_place(seen.waits):
        caused: set[int] = set()
        for finding in set_ups:
            own = [wait for wait in waits if _is_caused(finding, wait, set_ups)]
            rows += bench.caused(place, finding, own)
            caused.update(map(id, own))
        left = [wait for wait in waits if id(wait) not in caused]
        if claim := _claim_of(place, claims):
            claim.waits += left
        elif costly := [wait for wait in left if id(wait) in measured]:
            if known.is_accepted(*place):
                accepted += len(costly)
            else:
                missed.setdefault(place, []).extend(costly)
    for claim in claims:
        if not claim.waits and any(is_about_calls(each.code) for each in claim.findings):
            claim.waits += [wait for wait in seen.waits if claim.leads_to(wait)]
    rows += [row for claim in claims for row in bench.judged(claim)]
    rows += [
        bench.row(place, "in a library" if is_library(place[0]) else "missed", [], waits)
        for place, waits in missed.items()
    ]
    judged = {id(finding) for row in rows for finding in row.findings}
    reported = [*set_ups, *(finding for claim in claims for finding in claim.findings)]
    unjudged = sum(id(finding) not in judged for finding in reported)
    return Judgement(tuple(sorted(rows, key=lambda row: row.cost)), unjudged, accepted)


def _by_place(waits: Iterable[Wait]) -> Iterator[tuple[Place, list[Wait]]]:
    """Yield the waits of each line."""
    groups: dict[Place, list[Wait]] = defaultdict(list)
    for wait in waits:
        groups[real(wait.filename), wait.row].append(wait)
    yield from groups.items()


def _claims(known: Known) -> tuple[list[_Claim], list[Finding]]:
    """Return the findings about waits grouped by line, and those about set-up."""
    by_line: dict[Place, list[Finding]] = defaultdict(list)
    set_ups: list[Finding] = []
    for finding in sorted(known.findings, key=lambda each: (-each.severity, each.code)):
        if finding.kind is Kind.SETUP:
            set_ups.append(finding)
        elif finding.kind is not Kind.META:
            by_line[real(finding.span.filename), finding.span.row].append(finding)
    lines = by_line.items()
    return [_Claim(*place, max(each.span.end_row for each in found), found) for place, found in lines], set_ups


def _is_caused(finding: Finding, wait: Wait, set_ups: Sequence[Finding]) -> bool:
    """Whether the object that a finding about set-up is about has waited for what that asks for.

    An object that is no module is not known again: then the finding has to be the only one of its rule.
    """
    check, span = CHECKS.get(finding.code, ANYWHERE), finding.span
    if check.line is not None:
        is_it = sum(each.code == finding.code for each in set_ups) == 1
    else:
        filename, row, column = wait.maker or ("", 0, 0)
        is_there = (row, column) == (span.row, span.column) if column else span.row <= row <= span.end_row
        is_it = is_there and real(filename) == real(span.filename)
    return is_it and proves(finding.code, wait.kind) and check.holds(wait)


def _claim_of(place: Place, claims: Iterable[_Claim]) -> _Claim | None:
    """Return the narrowest finding whose lines contain that of a wait."""
    around = [each for each in claims if each.holds(place)]
    return min(around, key=lambda each: each.end - each.line, default=None)


def _proven(findings: Iterable[Finding], waits: Sequence[Wait]) -> list[Finding]:
    """Return the findings that report a wait of one of these kinds."""
    kinds = {wait.kind for wait in waits}
    return [each for each in findings if any(proves(each.code, kind) for kind in kinds)]


@dataclass(frozen=True, slots=True)
class _Bench:
    """Builds rows; `measured` and `before` are the identities of the waits in the measured part, and before it."""

    seen: Seen
    measured: frozenset[int]
    before: Collection[int] = frozenset()

    def caused(self, place: Place, finding: Finding, waits: Sequence[Wait]) -> Iterator[Row]:
        """Yield the row of a line on which an object waits for what its set-up asks for."""
        if waits:
            is_early = all(map(self._is_before, waits))
            yield self.row(place, "only before" if is_early else "confirmed", [finding], waits)

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
            yield self.row(place, "only before", early, [wait for wait in claim.waits if self._is_before(wait)])
        rest = [each for each in others if each not in early and each.kind is Kind.STALL]
        unknown = [wait for wait in counted if wait.kind == "unknown"] if rest and not confirmed else []
        if unknown:
            yield self.row(place, "unclear", rest, unknown)
        elif rest and self.seen.ran is not None:
            ran = [each for each in rest if self._ran(claim, each)]
            for verdict, found in (("refuted", ran), ("not reached", [each for each in rest if each not in ran])):
                if found:
                    yield self.row(place, verdict, found, [])  # type: ignore[arg-type]
        yield from self._besides(place, claim, confirmed, unknown)

    def _besides(
        self, place: Place, claim: _Claim, confirmed: Sequence[Finding], told: Sequence[Wait]
    ) -> Iterator[Row]:
        """Yield the measured waits of a reported line that are not what its findings report."""
        measured = [wait for wait in claim.waits if id(wait) in self.measured - set(map(id, told))]
        left = [wait for wait in measured if not any(proves(each.code, wait.kind) for each in confirmed)]
        if left:
            yield self.row((claim.filename, left[0].row), "missed", [], left)

    def _is_before(self, wait: Wait) -> bool:
        """Whether a wait was over before the measured steps began."""
        return id(wait) in self.before

    def _ran(self, claim: _Claim, finding: Finding) -> bool:
        """Whether what a finding is about has run, and the program did not end within it."""
        ran = (self.seen.ran or {}).get(claim.filename)
        return ran is not None and ran.has(Region.of(finding.span)) and not any(map(claim.holds, self.seen.cut))

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
