"""The text of a block of findings: one line of what and how often, the source with marks, and what decides."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from click import style

from ..finding import Finding, Frequency, Reason, Severity, Span, many
from ..limits import MOST_CALLS_TOLD, MOST_PLACES
from ..offers import Fix, Offer
from .differences import changes
from .excerpt import Row, marked
from .outcome import Outcome
from .sections import Block, Section
from .text import escape, likeliest, place

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


@dataclass(frozen=True, slots=True)
class Painter:
    """Colors and links on a terminal; plain text elsewhere."""

    color: bool
    links: bool = False

    def paint(self, text: str, color: str | None = None, bold: bool = False) -> str:
        """Return the text in a color."""
        return style(text, fg=color, bold=bold or None) if self.color else text

    def link(self, text: str, url: str) -> str:
        """Return the text as a clickable terminal link."""
        return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\" if self.color and self.links else text


@dataclass(slots=True)
class Writer:
    """Writes sections of a report; what it has said once, it does not say again."""

    outcome: Outcome
    painter: Painter
    told: set[object] = field(default_factory=set)
    near: set[object] = field(default_factory=set)
    """What has been said in the section."""

    def section(self, section: Section) -> Iterator[str]:
        """Yield a section with its title."""
        self.near.clear()
        where = f"{line_of(section.where)}: " if section.where else ""
        title = f"== {where}{escape(section.title)} ({counted(section)})"
        yield from (self.painter.paint(line, bold=True) for line in wrapped(title, self.outcome.width, "   "))
        for block in section.blocks:
            yield from self._block(block, section)
            yield ""

    def _block(self, block: Block, section: Section) -> Iterator[str]:
        first, lines = block.worst, self.outcome.lines(block.worst.span.filename)
        yield from self._head(first, self._often(block, section))
        margin = len(str(max(each.span.shown.row for each in block.findings)))
        yield from self._source(block, lines, margin)
        fixes = [(each, fix) for each in block.every if (fix := self._fix(each)) is not None]
        for label, text in self._notes(block, section, [fix.offer for _, fix in fixes]):
            head = f"{' ' * margin} = {label}: "
            written = wrapped(head + text, self.outcome.width, " " * (margin + 5))
            sign, bold = self.painter.paint("=", "blue"), self.painter.paint(f"{label}:", bold=True)
            rest = written[0][len(head) :]
            written[0] = f"{' ' * margin} {sign} {bold}{rest and f' {rest}'}"
            yield from written
        for each, fix in fixes:
            yield from self._difference(fix, self.outcome.lines(each.span.filename))

    def _often(self, block: Block, section: Section) -> str:
        """Return how often the worst of a block runs, as the end of a message, unless the title says it."""
        often = block.worst.frequency
        words, more = how_often(often, section.words), len(often.conditions) - 1
        if not words:
            return ""
        if ("often", block.function, often.conditions, words) in self.near:
            return "; likewise"
        self.near.add(("often", block.function, often.conditions, words))
        if more <= 0:
            return f"; {escape(words)}"
        hint = "" if "explain" in self.told else f": `synclint explain {line_of(block.worst.span)}`"
        self.told.add("explain")
        return f"; {escape(words)} (+{many(more, 'more condition')}{hint})"

    def _fix(self, finding: Finding) -> Fix | None:
        return self.outcome.fix(finding) if self.outcome.shows_fixes else None

    def _head(self, finding: Finding, often: str) -> Iterator[str]:
        """Yield what is found where, with the name of the rule where there is room."""
        start, severity = f"{place(finding.span)}: ", f"{finding.severity.words}: "
        name = f"{finding.code} {finding.name}"
        lines = wrapped(f"{start}{severity}{escape(finding.message)}{often}", self.outcome.width, "    ")
        is_room = len(lines[-1]) + len(name) + 3 <= self.outcome.width
        color = _COLORS[finding.severity]
        lines[0] = lines[0][len(start) + len(severity) :]
        painted = [self.painter.paint(line, bold=True) for line in lines]
        painted[0] = f"{start}{self.painter.paint(severity[:-2], color, True)}:{lines[0] and f' {painted[0]}'}"
        rule = f"[{self.painter.link(name, finding.url)}]"
        yield from [*painted[:-1], f"{painted[-1]} {rule}"] if is_room else [*painted, f"    {rule}"]

    def _source(self, block: Block, lines: Sequence[str], margin: int) -> Iterator[str]:
        """Yield the lines of the findings, each with its marks, and with how often if that is not as in the head."""
        bar, usual = self.painter.paint("|", "blue"), replace(block.worst.frequency, conditions=()).words
        often = how_often(block.worst.frequency, usual)
        drawn = ((marked(each.span, lines, self.outcome.width - margin - 3), each) for each in block.findings)
        seen = ((row, each) for row, each in drawn if row is not None)
        for (number, text), group in groupby(seen, key=lambda each: (each[0].number, each[0].text)):
            rows = list(group)
            yield f"{self.painter.paint(f'{number:>{margin}}', 'blue')} {bar} {text}"
            others = dict.fromkeys(how_often(each.frequency, usual) or "always" for _, each in rows)
            words = "" if [*others] == [often or "always"] else f" {escape('; '.join(others))}"
            marks = self.painter.paint(_marks([row for row, _ in rows]), _COLORS[block.worst.severity])
            yield f"{' ' * margin} {bar} {marks}{words}"

    def _notes(self, block: Block, section: Section, made: Sequence[Offer]) -> Iterator[tuple[str, str]]:
        """Yield why we think so, how the line is reached, where else it stands, and what to write instead."""
        here = block.worst.span
        reasons = [reason for each in block.findings for reason in each.reasons]
        if because := self._new(reasons, here):
            yield "because", because
        if way := self._new(_way(block.worst.frequency, section), here):
            yield "frequency", way
        for each in block.setup:
            yield "cause", f"{_told(Reason(each.message, each.span), here)} [{each.code} {each.name}]"
        if block.same:
            yield "also", places(block.same, here)
        if text := block.worst.instead:
            if text not in self.told:
                yield "instead", escape(text)
            self.told.add(text)
        sure = [] if self.outcome.shows_fixes else [offer for each in block.every for offer in _sure(each)]
        fixes = {(each.title, each.option): each.unsafe.split("; ") for each in (*made, *sure)}
        for (title, option), risks in fixes.items():
            new = [each for each in risks if each and each not in self.told]
            self.told.update(new)
            yield "fix", f"{escape(title)} ({option}{': ' if new else ''}{'; '.join(new)})"

    def _new(self, reasons: Iterable[Reason], here: Span) -> str:
        """Return the reasons that this section has not printed yet."""
        new = [each for each in dict.fromkeys(reasons) if each not in self.near]
        self.near.update(new)
        return "; ".join(_told(each, here) for each in new)

    def _difference(self, fix: Fix, lines: Sequence[str]) -> Iterator[str]:
        """Yield what a fix removes and adds."""
        colors = {"+": "green", "-": "red"}
        yield from (self.painter.paint(line, colors.get(line[:1])) for line in changes(fix.edits, lines))


def wrapped(text: str, width: int, indent: str) -> list[str]:
    """Return the lines of an escaped text; no further line begins with what CI services take for a command."""
    first, *rest = textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    ) or [text]
    return [first, *map(escape, rest)]


def line_of(span: Span) -> str:
    """Return `file:row`, as `explain` takes it."""
    return f"{escape(span.filename)}:{span.line}"


def how_often(frequency: Frequency, usual: str) -> str:
    """Return how often in words, with the innermost condition alone; empty if that is as `usual`."""
    told = (frequency.off_by_default or frequency.conditions)[:1]
    words = replace(frequency, conditions=told).words
    return words.removeprefix(usual).lstrip() if usual else words


def counted(section: Section) -> str:
    """Return how many findings a section has, by severity, and how many of the same were told before."""
    counts = {level: sum(each.severity is level for each in section.findings) for level in reversed(Severity)}
    parts = [many(number, level.words) for level, number in counts.items() if number]
    parts += [f"{section.repeated} more as above"] if section.repeated else []
    return ", ".join(parts)


def places(spans: Sequence[Span], here: Span) -> str:
    """Return where else something is: the lines of this file, and the first line of each other file."""
    lines = [*dict.fromkeys(each.line for each in spans if each.filename == here.filename)]
    files = {each.filename: line_of(each) for each in reversed(spans) if each.filename != here.filename}
    parts = [f"on line{'s' if len(lines) > 1 else ''} {few(lines)}"] if lines else []
    parts += [f"in {many(len(files), 'other file')}: {few([*files.values()][::-1])}"] if files else []
    return "; ".join(parts)


def few(names: Sequence[str]) -> str:
    """Return the first of some names, and how many more there are."""
    more = f" and {len(names) - MOST_PLACES} more" if len(names) > MOST_PLACES else ""
    return f"{', '.join(names[:MOST_PLACES])}{more}"


def _way(frequency: Frequency, section: Section) -> Sequence[Reason]:
    """Return the calls that lead to a line from where its section's title says."""
    reasons = frequency.reasons
    if frequency.per or frequency.cause:
        return reasons[1:][-MOST_CALLS_TOLD:]
    titles = [at for at, each in enumerate(reasons) if section.where and each.span == section.where]
    titles += [at for at, each in enumerate(reasons) if section.title.endswith(f": {each.message}")]
    return reasons[max(titles, default=-1) + 1 :][-MOST_CALLS_TOLD:]


def _told(reason: Reason, here: Span) -> str:
    """Return a reason and its place, which is short in the same file."""
    span = reason.span
    if span is None:
        return escape(reason.message)
    is_near = span.filename == here.filename and not span.cell
    return f"{escape(reason.message)} ({f'line {span.row}' if is_near else place(span)})"


def _sure(finding: Finding) -> Iterator[Offer]:
    """Yield the offer of a finding that can be made for all that is known without trying."""
    offer = likeliest(finding.offers) if finding.offers else None
    if offer is not None and offer.is_sure:
        yield offer


def _marks(rows: Sequence[Row]) -> str:
    """Return what stands under a line to mark its parts."""
    marks: list[str] = []
    for row in rows:
        before, under = map(_width, (row.text[: row.start], row.text[row.start : row.stop]))
        end = before + max(under, 1)
        marks += " " * (end - len(marks))
        marks[before:end] = "^" * (end - before)
    return "".join(marks)


def _width(text: str) -> int:
    """Return how many terminal columns a text takes."""
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    """Return how many terminal columns a printable character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
