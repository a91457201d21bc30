"""Keeps rewritten lines within the width that a formatter gives them."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Sequence
from typing import Final

from ..files.edits import applied
from ..files.source import Source
from ..finding import Edit

USUAL: Final = 88
"""The width of lines that the usual formatters agree on by default."""
_INDENT: Final = 4
_OPENING, _CLOSING = "([{", ")]}"


def within_width(edits: Sequence[Edit], source: Source) -> list[Edit] | None:
    """Return edits with the lines that get too long broken as a formatter does; None if that cannot be done.

    A line may be as long as the longest line of code in the file: that is what its formatter allows.
    """
    (first, *_), last = edits, max(edits, key=lambda each: each.end_row)
    before = list(source.lines[first.row - 1 : last.end_row])
    moved = [_moved(each, first.row - 1) for each in edits]
    after = "".join(applied([f"{line}\n" for line in before], moved)).split("\n")[:-1]
    most = max(USUAL, *(len(line) for line in source.lines if _is_code(line)))
    long = [at for at, line in enumerate(after) if len(line) > most and line not in before]
    if not long:
        return list(edits)
    for at in reversed(long):
        broken = _broken(after[at], most)
        if broken is None:
            return None
        after[at : at + 1] = broken
    return [Edit(first.row, 1, last.end_row, len(before[-1]) + 1, "\n".join(after))]


def _moved(edit: Edit, up: int) -> Edit:
    return Edit(edit.row - up, edit.column, edit.end_row - up, edit.end_column, edit.text)


def _is_code(line: str) -> bool:
    """Whether a line tells how long lines may be: texts and comments are not broken by formatters."""
    return not any(each in line for each in "#\"'")


def _broken(line: str, most: int) -> list[str] | None:
    """Return a line with what is in some brackets, the last if possible, on a line of its own."""
    indent = line[: len(line) - len(line.lstrip())]
    step = "\t" if indent.startswith("\t") else " " * _INDENT
    for start, end in reversed(_brackets(line)):
        lines = [line[: start + 1], f"{indent}{step}{line[start + 1 : end].strip()}", f"{indent}{line[end:]}"]
        if lines[1].strip() and all(len(each) <= most for each in lines):
            return lines
    return None


def _brackets(line: str) -> list[tuple[int, int]]:
    """Return where brackets open and close that are in no others, in a line that is complete by itself."""
    opened: list[int] = []
    found: list[tuple[int, int]] = []
    try:
        for each in tokenize.generate_tokens(io.StringIO(f"{line.lstrip()}\n").readline):
            if each.type == tokenize.OP and each.string in _OPENING:
                opened.append(each.start[1])
            elif each.type == tokenize.OP and each.string in _CLOSING:
                start = opened.pop()
                found += [] if opened else [(start, each.start[1])]
    except (tokenize.TokenError, SyntaxError, IndexError):
        return []
    shift = len(line) - len(line.lstrip())
    return [] if opened else [(start + shift, end + shift) for start, end in found]
