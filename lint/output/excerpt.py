"""The lines around a finding, as they can be shown: cut to a width, and nothing in them that a screen would obey."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ..finding import Span
from ..limits import WIDEST_EXCERPT
from .text import as_source, escape

_TAB: Final = 4


@dataclass(frozen=True, slots=True)
class Row:
    """A line as drawn, with its number as people count it; the finding is `text[start:stop]`, if it is on the line."""

    number: int
    text: str
    start: int = 0
    stop: int = 0


def excerpt(span: Span, lines: Sequence[str]) -> Iterator[Row]:
    """Yield the line with its non-empty neighbours before and after; nothing if the file could not be read."""
    if span.row > len(lines) or not any(lines):
        return
    above = span.row - span.shown.row
    for row in range(max(span.row - 1, 1), min(span.row + 1, len(lines)) + 1):
        line = as_source(lines[row - 1])
        if row == span.row:
            end = span.end_column if span.end_row == span.row else len(line) + 1
            yield Row(row - above, *_marked(line, span.column - 1, max(end - 1, span.column)))
        elif line.strip():
            yield Row(row - above, _drawn(line[:WIDEST_EXCERPT]))


def marked(span: Span, lines: Sequence[str], width: int) -> Row | None:
    """Return the finding's first line without its indentation, at most that wide; None if it cannot be read."""
    if span.row > len(lines) or not any(lines):
        return None
    line = as_source(lines[span.row - 1])
    first = span.column - 1
    last = max((span.end_column if span.end_row == span.row else len(line) + 1) - 1, span.column)
    indented = min(len(line) - len(line.lstrip(" \t")), first)
    return Row(span.shown.row, *_marked(line[indented:], first - indented, last - indented, width))


def _marked(line: str, first: int, last: int, width: int = WIDEST_EXCERPT) -> tuple[str, int, int]:
    """Return a line as drawn, cut if long, and where the finding begins and ends in that."""
    start = max(0, first - width // 2) if len(line) > width else 0
    stop = min(len(line), start + width)
    head = ("…" if start else "") + _drawn(line[start:first])
    part = _drawn(line[first : min(last, stop)])
    tail = _drawn(line[min(last, stop) : stop]) + ("…" if stop < len(line) else "")
    return f"{head}{part}{tail}".rstrip(), len(head), len(head) + len(part)


def _drawn(text: str) -> str:
    """Return the text with tabs expanded and unprintable characters escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " * _TAB if each == "\t" else escape(each) for each in text)
