"""The command `compare`: what became of the waits of a program between two runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ...lint.fields import FieldError
from ...lint.finding import many
from ...lint.output.targets import targets, write
from ...lint.output.text import escape
from .changes import changes
from .recorded import recorded
from .table import as_json, table


def main(before: str, after: str, output: Sequence[str], fail_on: str = "never") -> int:
    """Compare two runs, print and write the result, and return the exit code. Raises click.ClickException."""
    outputs = targets(output, ("html", "json"))
    try:
        runs = (recorded(Path(before)), recorded(Path(after)))
    except FieldError as error:
        raise click.ClickException(escape(str(error))) from error
    found = changes(*runs)
    for line in table(runs, found):
        click.echo(line)
    for each in outputs:
        if each.form == "json":
            write(each.path, as_json(runs, found), each.form)
        else:
            from .page import as_html

            write(each.path, as_html(runs, found), each.form)
    worse = [each for each in found if each.verdict in ("new", "more")] if fail_on == "more" else []
    if worse:
        places = ", ".join(f"{each.side.filename}:{each.side.line}" for each in worse)
        click.echo(
            f"synclint: failed: {many(len(worse), 'line')} waited more often than before: {escape(places)}", err=True
        )
    return int(bool(worse))
