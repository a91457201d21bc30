"""`synclint explain FILE:LINE`: what is known at a line."""

from __future__ import annotations

import re

import click


@click.command()
@click.argument("place", metavar="FILE:LINE[:COLUMN]")
def command(place: str) -> None:
    """Print what is known about a line: each value, where it lives, how often the line runs, and why."""
    match = re.fullmatch(r"(.+?):(\d+)(?::(\d+))?", place)
    if match is None:
        raise click.UsageError(f"`{place}` is no place in a file; write FILE:LINE or FILE:LINE:COLUMN")
    from ..inference.explain import explain as lines_about
    from ..output.text import escape
    from ..source import Source, read

    source = read(match[1], match[1], named=True)
    if not isinstance(source, Source):
        raise click.UsageError(f"{match[1]} {source.message if source else 'is empty'}")
    row = int(match[2])
    if not 1 <= row <= len(source.lines):
        raise click.UsageError(f"{match[1]} has {len(source.lines)} lines; there is no line {row}")
    for line in lines_about(source, row, int(match[3]) if match[3] else None):
        click.echo(escape(line))
