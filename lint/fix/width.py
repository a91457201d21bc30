"""Keeps rewritten lines within the width that a formatter gives them."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Sequence
from typing import Final

from ..files.edits import applied
from ..files.source import Source
from ..offers import Edit

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
    """Whether a line is evidence of the line length: formatters do not break strings and comments."""
    return not any(each in line for each in "#\"'")


def _broken(line: str, most: int) -> list[str] | None:
    """Return a line with what is in some brackets, the last if possible, on a line of its own, or on one for each part.

    Only brackets that are in no others are broken.
    """
    indent = line[: len(line) - len(line.lstrip())]
    step = "\t" if indent.startswith("\t") else " " * _INDENT
    for start, *commas, end in reversed(_brackets(line)):
        ends = [*commas, end] if line[start + 1 : end].strip() else []
        parts = [line[one + 1 : other].strip() for one, other in zip((start, *commas), ends)]
        for rows in ([", ".join(parts)], [f"{each}," for each in parts if each]):
            lines = [line[: start + 1], *(f"{indent}{step}{each}" for each in rows), f"{indent}{line[end:]}"]
            if parts and (len(parts) > 1 or len(rows[0]) == len(parts[0])) and all(len(each) <= most for each in lines):
                return lines
    return None


def _brackets(line: str) -> list[list[int]]:
    """Return where brackets open, have commas, and close, of those in no others, in a line complete by itself."""
    opened: list[list[int]] = []
    found: list[list[int]] = []
    shift = len(line) - len(line.lstrip())
    try:
        for each in tokenize.generate_tokens(io.StringIO(f"{line.lstrip()}\n").readline):
            if each.type != tokenize.OP:
                continue
            if each.string in _OPENING:
                opened.append([each.start[1] + shift])
            elif each.string == "," and opened:
                opened[-1].append(each.start[1] + shift)
            elif each.string in _CLOSING:
                ended = opened.pop()
                found += [] if opened else [[*ended, each.start[1] + shift]]
    except (tokenize.TokenError, SyntaxError, IndexError):
        return []
    return [] if opened else found
