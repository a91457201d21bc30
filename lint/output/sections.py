"""The order of a report for people: by program, the loops over steps with what waits in them, the worst first.

What is called from elsewhere follows, then what runs seldom, is off by default, or is called by nothing. The waits of
one rule in one function are one block, as they are cured together, and a line that is copied is told once.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ..finding import Finding, Kind, Level, Severity, Span


class Part(enum.IntEnum):
    """The parts of a report, in order."""

    MEASURED = 0
    PROGRAM = 1
    ELSEWHERE = 2
    ASSUMED = 3
    SELDOM = 4
    OFF = 5
    UNCALLED = 6
    REFUTED = 7
    LINTING = 8


_TITLES = {
    Part.MEASURED: "Measured: what waited in recorded runs, the most expensive first",
    Part.ELSEWHERE: "Called from outside the project",
    Part.ASSUMED: "Assumed to run every step, as no caller is known",
    Part.OFF: "Off by default",
    Part.UNCALLED: "Never called in the project",
    Part.REFUTED: "Ran without a wait in recorded runs",
    Part.LINTING: "Files and comments",
}


@dataclass(slots=True)
class Block:
    """Findings of one rule in one function, by position; `same` are the places of the same lines elsewhere.

    `setup` is what was set up so that they wait.
    """

    findings: list[Finding]
    same: list[Span] = field(default_factory=list)
    setup: list[Finding] = field(default_factory=list)

    @property
    def every(self) -> list[Finding]:
        """The findings, and what was set up for them."""
        return [*self.findings, *self.setup]

    @property
    def worst(self) -> Finding:
        """The finding that stands for the block."""
        return min(self.findings, key=rank)

    @property
    def function(self) -> tuple[str, ...]:
        """The function that the block is in."""
        return self.findings[0].span.filename, self.findings[0].scope

    @property
    def rank(self) -> tuple[object, ...]:
        """What orders blocks: the worst first."""
        return rank(self.worst)


@dataclass(slots=True)
class Section:
    """Blocks under one title; `where` is the loop, if they share one, and `repeated` how many were told before."""

    part: Part
    title: str
    words: str
    where: Span | None = None
    blocks: list[Block] = field(default_factory=list)
    repeated: int = 0

    @property
    def findings(self) -> Iterator[Finding]:
        """The findings of all blocks."""
        return (each for block in self.blocks for each in block.every)


def rank(finding: Finding) -> tuple[object, ...]:
    """Return what orders findings: what was measured, and the severity; how well the frequency is seen.

    Then passes, conditions, routes, certainty.
    """
    often = finding.frequency
    return (
        *finding.cost,
        -finding.severity,
        often.assumed,
        bool(often.per),
        bool(often.conditions),
        -often.level,
        len(often.conditions),
        -len(often.routes),
        -finding.confidence,
        finding.sort_key,
    )


def by_program(findings: Iterable[Finding], line: Callable[[Finding], str] | None) -> list[Section]:
    """Return the sections of a report; by the source `line` of a finding, equal ones are told once."""
    sections: dict[tuple[object, ...], Section] = {}
    found: dict[int, list[Finding]] = defaultdict(list)
    for each in findings:
        made = _section(each)
        section = sections.setdefault((made.part, made.title, made.where), made)
        found[id(section)].append(each)
    ordered = _ordered([(each, found[id(each)]) for each in sections.values()])
    told: dict[tuple[str, ...], Block] = {}
    for section, members in ordered:
        section.blocks = _worst_first(_with_setup([*_blocks(members)]) if section.where else [*_blocks(members)])
        if line is not None:
            _merge(section, told, line)
    return [section for section, _ in ordered]


def by_file(findings: Iterable[Finding]) -> list[Section]:
    """Return a section for each file, with its findings in their order."""
    files: dict[str, list[Finding]] = defaultdict(list)
    for each in findings:
        files[each.span.filename].append(each)
    return [Section(Part.ELSEWHERE, name, "", blocks=[*_blocks(found)]) for name, found in files.items()]


def _section(finding: Finding) -> Section:
    """Return the section of a finding, still empty."""
    often = finding.frequency
    words = often.level.words
    if finding.kind is Kind.META:
        return Section(Part.LINTING, _TITLES[Part.LINTING], words)
    if finding.measured is not None and (finding.measured.count or finding.severity <= Severity.NOTE):
        part = Part.MEASURED if finding.measured.count else Part.REFUTED
        return Section(part, _TITLES[part], "")
    if often.off_by_default:
        return Section(Part.OFF, _TITLES[Part.OFF], "")
    if often.level is Level.UNCALLED:
        return Section(Part.UNCALLED, _TITLES[Part.UNCALLED], words)
    if often.level < Level.UNKNOWN and (often.level is not Level.EVALUATION or often.loop is None):
        return Section(Part.SELDOM, words.capitalize() if often.level is not Level.EVERY_N_STEPS else words, words)
    if often.assumed:
        return Section(Part.ASSUMED, _TITLES[Part.ASSUMED], "")
    start = often.loop or next(iter(often.reasons), None)
    if often.per or often.level is Level.UNKNOWN or start is None:
        return Section(Part.ELSEWHERE, _TITLES[Part.ELSEWHERE], Level.UNKNOWN.words)
    usual = Level.EVALUATION if often.level is Level.EVALUATION else Level.EVERY_STEP
    return Section(Part.PROGRAM, f"{usual.words}: {start.message}", usual.words, start.span)


def _ordered(sections: Sequence[tuple[Section, list[Finding]]]) -> list[tuple[Section, list[Finding]]]:
    """Return the sections part by part; the loops of the file with most errors first, and of that its worst loop."""
    files: dict[str, list[Finding]] = defaultdict(list)
    for section, found in sections:
        files[_file(section)] += found

    def order(each: tuple[Section, list[Finding]]) -> tuple[object, ...]:
        section, found = each
        name = _file(section)
        return (section.part, *weight(files[name]), name, *weight(found), section.title)

    return sorted(sections, key=order)


def _file(section: Section) -> str:
    return section.where.filename if section.where else ""


def weight(found: Sequence[Finding]) -> tuple[int, ...]:
    """Return what orders places by their findings: those with most errors first, then most warnings."""
    return tuple(-sum(each.severity is level for each in found) for level in reversed(Severity))


def _blocks(findings: Sequence[Finding]) -> Iterator[Block]:
    """Yield the findings of each rule and function that are cured together."""
    blocks: dict[tuple[object, ...], Block] = {}
    for each in findings:
        key = (each.span.filename, each.span.cell, each.scope, each.code, each.severity, each.instead, each.cost)
        blocks.setdefault(key, Block([])).findings.append(each)
    yield from blocks.values()


def _with_setup(blocks: list[Block]) -> list[Block]:
    """Return the blocks of a loop, with what was set up beside the waits that the same cures."""
    waiting = {each.worst.instead: each for each in reversed(blocks) if each.worst.kind is not Kind.SETUP}
    rest = []
    for each in blocks:
        block = waiting.get(each.worst.instead) if each.worst.kind is Kind.SETUP else None
        if block is None or each.worst.severity > block.worst.severity:
            rest.append(each)
        else:
            block.setup += each.findings
    return rest


def _worst_first(blocks: list[Block]) -> list[Block]:
    """Return the blocks in order, those of a function beside each other where they are as severe."""
    functions: dict[tuple[str, ...], tuple[object, ...]] = {}
    for each in blocks:
        functions[each.function] = min(each.rank, functions.get(each.function, each.rank))
    return sorted(blocks, key=lambda each: (each.worst.cost, -each.worst.severity, functions[each.function], each.rank))


def _merge(section: Section, told: dict[tuple[str, ...], Block], line: Callable[[Finding], str]) -> None:
    """Drop from a section what an earlier block reports about an equal line, and note the place in that block."""
    for block in section.blocks:
        new = []
        for each in block.findings:
            text = line(each)
            known = told.setdefault((each.code, each.severity.words, each.message, text), block) if text else block
            if known is block:
                new.append(each)
            else:
                known.same.append(each.span)
        section.repeated += len(block.findings) - len(new)
        block.findings = new
        if not new:
            block.findings, block.setup = block.setup, []
    section.blocks = [each for each in section.blocks if each.findings]
