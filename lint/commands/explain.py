"""`synclint explain FILE:LINE`: what is known at a line; of a notebook, `FILE:cell 3:LINE`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..source import Source


@click.command()
@click.argument("place", metavar="FILE:[cell N:]LINE[:COLUMN]")
def command(place: str) -> None:
    """Print what is known about a line: each value, where it lives, how often the line runs, and why."""
    match = re.fullmatch(r"(.+?)(?::cell (\d+))?:(\d+)(?::(\d+))?", place)
    if match is None:
        raise click.UsageError(f"`{place}` is no place in a file; write FILE:LINE or FILE:LINE:COLUMN")
    from ..inference.explain import explain as lines_about
    from ..output.text import escape
    from ..source import Source, read

    source = read(match[1], match[1], named=True)
    if not isinstance(source, Source):
        raise click.UsageError(f"{match[1]} {source.message if source else 'holds no Python'}")
    row = _row(source, int(match[2]) if match[2] else None, int(match[3]))
    for line in lines_about(source, row, int(match[4]) if match[4] else None):
        click.echo(escape(line))


def _row(source: Source, number: int | None, row: int) -> int:
    """The row that is meant; without the number of a cell, of a notebook's file. Raises click.UsageError."""
    name = source.filename
    if number is None and not source.cells:
        if not 1 <= row <= len(source.lines):
            raise click.UsageError(f"{name} has {len(source.lines)} lines; there is no line {row}")
        return row
    if number is None:
        found = [cell.first + cell.rows.index(row) for cell in source.cells if row in cell.rows]
        if not found:
            raise click.UsageError(f"no code begins in line {row} of {name}; a place in a cell is {name}:cell 3:1")
        return found[0]
    cell = next((each for each in source.cells if each.number == number), None)
    if cell is None or not 1 <= row <= len(cell.rows):
        what = f"has {len(cell.rows)} lines; there is no line {row}" if cell else "is no code cell"
        raise click.UsageError(f"cell {number} of {name} {what}")
    return cell.first + row - 1
