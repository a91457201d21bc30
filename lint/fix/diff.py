"""Shows fixes as a unified diff; for notebooks, of each cell."""

from __future__ import annotations

from collections.abc import Iterator

from ..files.source import NOTEBOOK, Source, parse
from ..finding import Cell
from ..output.differences import difference
from ..output.text import escape
from ..suppression.ignore_comments import physical_lines


def of_file(filename: str, before: bytes, after: bytes) -> Iterator[str]:
    """Yield the lines of the difference between two states of a file."""
    old, new = parse(before, filename, wanted=True), parse(after, filename, wanted=True)
    if not isinstance(old, Source) or not isinstance(new, Source):
        return
    if not filename.endswith(NOTEBOOK):
        yield from difference(_physical(before, old), _physical(after, new), escape(filename))
        return
    for one, other in zip(old.cells, new.cells):
        name = f"{escape(filename)}:cell {one.number}"
        yield from difference(_cell(old, one), _cell(new, other), name)


def _physical(data: bytes, source: Source) -> list[str]:
    """Return the file's lines with the line ends that it has."""
    ends = physical_lines(data.decode("latin-1")) if b"\r" in data else []
    lines = [f"{line}\n" for line in source.lines]
    lines[-1] = source.lines[-1]
    if len(ends) in (len(lines), len(lines) - 1):
        lines = [
            line[:-1] + end[len(end.rstrip("\r\n")) :] if line.endswith("\n") else line
            for line, end in zip(lines, [*ends, ""])
        ]
    return lines if lines[-1] else lines[:-1]


def _cell(source: Source, cell: Cell) -> list[str]:
    return [f"{line}\n" for line in source.lines[cell.first - 1 : cell.first - 1 + len(cell.rows)]]
