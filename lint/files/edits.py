"""Edits made in a text: in its own line ends, and without a change anywhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..offers import Edit


def applied(physical: Sequence[str], edits: Iterable[Edit]) -> str:
    """Return the text of some lines, each with its line end, after edits that do not overlap."""
    starts = [0]
    for line in physical:
        starts.append(starts[-1] + len(line))
    text = "".join(physical)
    for edit in sorted(edits, reverse=True):
        first, last = starts[edit.row - 1] + edit.column - 1, starts[edit.end_row - 1] + edit.end_column - 1
        text = text[:first] + edit.text.replace("\n", _line_end(physical, edit.row)) + text[last:]
    return text


def _line_end(physical: Sequence[str], row: int) -> str:
    """Return how the line ends, or else the first line."""
    for line in (physical[row - 1], physical[0]):
        if line.endswith(("\r", "\n")):
            return line[len(line.rstrip("\r\n")) :]
    return "\n"
