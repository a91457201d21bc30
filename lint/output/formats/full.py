"""For people: the source line in context, underlined, with the chain of reasons below it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from click import style

from ...finding import Finding, Frequency, Level, Severity, Span
from ...offers import Fix, Offer
from ..differences import changes
from ..excerpt import excerpt
from ..outcome import Outcome
from ..text import escape, likeliest, place, reason_line

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


def render(outcome: Outcome) -> Iterator[str]:
    """Yield a block for each finding."""
    painter = Painter(outcome.color, outcome.links)
    first: dict[str, Finding] = {}
    for each in outcome.shown:
        known = first.setdefault(each.frequency.cause, each)
        like = known if each.frequency.cause and known is not each else None
        fix = outcome.fix(each) if outcome.shows_fixes else None
        offer = fix.offer if fix else None if outcome.shows_fixes else _sure(each)
        yield from _block(each, outcome.lines(each.span.filename), painter, like, offer)
        if fix is not None:
            yield from _difference(fix, outcome.lines(each.span.filename), painter)
        yield ""
    yield from outcome.explained()


def _sure(finding: Finding) -> Offer | None:
    """Return the offer of a finding that can be made for all that is known without trying."""
    offer = likeliest(finding.offers) if finding.offers else None
    return offer if offer is not None and offer.is_sure else None


def _block(
    finding: Finding, lines: Sequence[str], painter: Painter, like: Finding | None, offer: Offer | None
) -> Iterator[str]:
    """Yield what is said of one finding; `like` is one above that rests on the same assumption."""
    color = _COLORS[finding.severity]
    rule = painter.link(f"{finding.code} {finding.name}", finding.url)
    head = f"{painter.paint(finding.severity.words, color, True)}: {painter.paint(escape(finding.message), bold=True)}"
    yield f"{place(finding.span)}: {head} [{rule}]"
    margin = len(str(finding.span.shown.row + 1))
    yield from _frame(finding.span, lines, margin, painter, color)
    for label, text in (*_notes(finding, like), *([("fix", _on_offer(offer))] if offer else [])):
        yield f"{' ' * margin} {painter.paint('=', 'blue')} {painter.paint(label + ':', bold=True)} {text}"


def _notes(finding: Finding, like: Finding | None) -> Iterator[tuple[str, str]]:
    """Yield why we think so, how often the line runs, and what to write instead."""
    for reason in finding.reasons:
        yield "because", reason_line(reason)
    if finding.frequency.level is not Level.UNKNOWN or finding.frequency.reasons:
        yield "frequency", _how_often(finding.frequency, like)
    if finding.instead:
        yield "help", escape(finding.instead)


def _on_offer(offer: Offer) -> str:
    return f"{escape(offer.title)} ({offer.option}{': ' if offer.unsafe else ''}{offer.unsafe})"


def _difference(fix: Fix, lines: Sequence[str], painter: Painter) -> Iterator[str]:
    """Yield what a fix removes and adds."""
    colors = {"+": "green", "-": "red"}
    yield from (painter.paint(line, colors.get(line[:1])) for line in changes(fix.edits, lines))


def _how_often(frequency: Frequency, like: Finding | None) -> str:
    words, told = frequency.words, frequency.reasons
    if like is not None and like.frequency.reasons[:1] == told[:1]:
        often = replace(frequency, conditions=()).words
        words, told = f"{often}, as at {place(like.span)}{frequency.where}", told[1:]
    louder = max(frequency.others, key=lambda each: each.level, default=frequency)
    if louder.level > frequency.level:
        words = f"{words}; {louder.words}"
    reasons = "; ".join(reason_line(each) for each in told)
    return f"{escape(words)}{': ' if reasons else ''}{reasons}"


def _frame(span: Span, lines: Sequence[str], margin: int, painter: Painter, color: str) -> Iterator[str]:
    """Yield the line with its neighbours, and the underlining."""
    bar = painter.paint("|", "blue")
    for row in excerpt(span, lines):
        yield f"{painter.paint(f'{row.number:>{margin}}', 'blue')} {bar} {row.text}"
        if row.number == span.shown.row:
            before, under = map(_width, (row.text[: row.start], row.text[row.start : row.stop]))
            yield f"{' ' * margin} {bar} {' ' * before}{painter.paint('^' * max(under, 1), color)}"


def _width(text: str) -> int:
    """Return how many terminal columns a text takes."""
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    """Return how many terminal columns a printable character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
