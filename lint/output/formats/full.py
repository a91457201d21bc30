"""For people: the source line in context, underlined, with the chain of reasons below it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from click import style

from ...finding import Finding, Fix, Frequency, Level, Offer, Severity, Span
from ..differences import changes
from ..outcome import Outcome
from ..text import as_source, escape, likeliest, place, reason_line

WIDEST: Final = 160
"""A longer line is cut to the part around the finding."""
_TAB: Final = 4
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
        yield from _block(each, outcome.lines(each.span.filename), painter, like)
        if outcome.shows_fixes and (fix := outcome.fix(each)) is not None:
            yield from _difference(fix, outcome.lines(each.span.filename), painter)
        yield ""
    yield from outcome.explained()


def _block(finding: Finding, lines: Sequence[str], painter: Painter, like: Finding | None) -> Iterator[str]:
    """Yield what is said of one finding; `like` is one above that rests on the same assumption."""
    color = _COLORS[finding.severity]
    rule = painter.link(f"{finding.code} {finding.name}", finding.url)
    head = f"{painter.paint(finding.severity.words, color, True)}: {painter.paint(escape(finding.message), bold=True)}"
    yield f"{place(finding.span)}: {head} [{rule}]"
    margin = len(str(finding.span.shown.row + 1))
    if finding.span.row <= len(lines) and any(lines):
        yield from _frame(finding.span, lines, margin, painter, color)
    for label, text in _notes(finding, like):
        yield f"{' ' * margin} {painter.paint('=', 'blue')} {painter.paint(label + ':', bold=True)} {text}"


def _notes(finding: Finding, like: Finding | None) -> Iterator[tuple[str, str]]:
    """Yield why we think so, how often the line runs, and what to write instead."""
    for reason in finding.reasons:
        yield "because", reason_line(reason)
    if finding.frequency.level is not Level.UNKNOWN or finding.frequency.reasons:
        yield "frequency", _how_often(finding.frequency, like)
    if finding.instead:
        yield "help", escape(finding.instead)
    if finding.offers and (offer := likeliest(finding.offers)).is_sure:
        yield "fix", _on_offer(offer)


def _on_offer(offer: Offer) -> str:
    option = "--fix" if offer.is_safe else f"--fix --unsafe-fixes: {offer.unsafe}"
    return f"{escape(offer.title)} ({option})"


def _difference(fix: Fix, lines: Sequence[str], painter: Painter) -> Iterator[str]:
    """Yield what a fix removes and adds."""
    colors = {"+": "green", "-": "red"}
    if not fix.offer.is_sure:
        yield f"  {painter.paint('=', 'blue')} {painter.paint('fix:', bold=True)} {_on_offer(fix.offer)}"
    yield from (painter.paint(line, colors.get(line[:1])) for line in changes(fix.edits, lines))


def _how_often(frequency: Frequency, like: Finding | None) -> str:
    assumed = " (assumed)" if frequency.assumed else ""
    told = frequency.reasons
    if like is not None and like.frequency.reasons[:1] == told[:1]:
        assumed, told = f" (assumed, as at {place(like.span)})", told[1:]
    reasons = "; ".join(reason_line(each) for each in told)
    return f"{frequency.level.words}{assumed}{': ' if reasons else ''}{reasons}"


def _frame(span: Span, lines: Sequence[str], margin: int, painter: Painter, color: str) -> Iterator[str]:
    """Yield the line with its non-empty neighbours before and after, and the underlining."""
    bar = painter.paint("|", "blue")
    above = span.row - span.shown.row
    for row in range(max(span.row - 1, 1), min(span.row + 1, len(lines)) + 1):
        number = painter.paint(f"{row - above:>{margin}}", "blue")
        line = as_source(lines[row - 1])
        if row != span.row:
            if line.strip():
                yield f"{number} {bar} {_drawn(line[:WIDEST])[0]}"
            continue
        end = span.end_column if span.end_row == span.row else len(line) + 1
        text, before, under = _excerpt(line, span.column - 1, max(end - 1, span.column))
        yield f"{number} {bar} {text}"
        yield f"{' ' * margin} {bar} {' ' * before}{painter.paint('^' * under, color)}"


def _excerpt(line: str, first: int, last: int) -> tuple[str, int, int]:
    """Return a line as drawn, cut if long, and in screen columns: the text before the finding, and its width."""
    start = max(0, first - WIDEST // 2) if len(line) > WIDEST else 0
    stop = min(len(line), start + WIDEST)
    head, before = _drawn(line[start:first], "…" if start else "")
    part, under = _drawn(line[first : min(last, stop)])
    tail, _ = _drawn(line[min(last, stop) : stop])
    return f"{head}{part}{tail}{'…' if stop < len(line) else ''}".rstrip(), before, max(under, 1)


def _drawn(text: str, start: str = "") -> tuple[str, int]:
    """Return the text with tabs expanded and unprintable characters escaped, and its width in columns."""
    if text.isascii() and text.isprintable():
        return start + text, len(start) + len(text)
    pieces = [start, *(" " * _TAB if each == "\t" else escape(each) for each in text)]
    drawn = "".join(pieces)
    return drawn, sum(_columns(each) for each in drawn)


def _columns(character: str) -> int:
    """Return how many terminal columns a printable character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
