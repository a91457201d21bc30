"""`synclint explain FILE:LINE`: what is known about a line; in a notebook, `FILE:cell 3:LINE`."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..finding import many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..files.source import Source
    from ..finding import Confidence, Finding
    from ..fix.lookup import Lookup
    from ..fix.verified import Verified
    from ..inference.explain import Explained
    from ..options import Options
    from ..run.result import Result
    from ..task import Task


@click.command()
@click.argument("place", metavar="FILE:[cell N:]LINE[:COLUMN]")
@click.option(
    "--config",
    multiple=True,
    metavar="FILE|KEY=VALUE",
    help="The configuration file to use instead of the nearest one, or a key to set, in TOML. May be repeated.",
)
@click.option("--isolated", is_flag=True, help="Ignore the configuration and the rest of the project.")
def command(place: str, **options: Any) -> int:
    """Print what is known about a line: each value, its device, how often the line runs, and why.

    The rest of the project is taken into account, or of the working directory where nothing marks a project, as by
    `check`; what that reports on the line comes last.
    """
    match = re.fullmatch(r"(.+?)(?::cell (\d{1,9}))?:(\d{1,9})(?::(\d{1,9}))?", place)
    if match is None:
        raise click.UsageError(f"`{place}` is not a location; use FILE:LINE or FILE:LINE:COLUMN")
    from ..check import examined, print_failures
    from ..files.source import Source, read
    from ..output.text import escape
    from ..task import Task
    from . import check

    source = read(match[1], match[1], wanted=True)
    if not isinstance(source, Source):
        raise click.UsageError(f"{match[1]} {source.message if source else 'holds no Python'}")
    row = _row(source, int(match[2]) if match[2] else None, int(match[3]))
    asked = check.options(**options)
    around = _around(match[1])
    task = Task.of([match[1]], replace(asked, min_confidence="possible"), around)
    least = Task.of([match[1]], asked, around).groups.of(source.filename).settings.min_confidence
    result = examined(task)
    found = _known(source, row, int(match[4]) if match[4] else None, task)
    reported = _reported(task, result, row, least) or [*_unasked(source, row, asked, around)]
    for line in (*found.lines, *(reported or [found.silent])):
        click.echo(escape(line))
    print_failures(result, verbose=False)
    return 2 if result.failures else 0


def _around(file: str) -> Path | None:
    """Return the working directory, where `check .` reads all files, if a file is below it and it holds no home."""
    here = Path.cwd()
    is_below = Path(os.path.abspath(file)).is_relative_to(here)
    return here if is_below and not Path(os.path.expanduser("~")).is_relative_to(here) else None


def _known(source: Source, row: int, column: int | None, task: Task) -> Explained:
    from ..inference.explain import Others, explain
    from ..run.engine import analyses_of

    others = analyses_of(task.others, task.groups, task.cache, beside=task.files)
    return explain(source, row, column, task.groups.of(source.filename).settings, Others.of(others))


def _reported(task: Task, result: Result, row: int, least: Confidence) -> list[str]:
    """Return what `check` reports about a row, notes and what is not sure enough included, and whether it is fixed."""
    from ..fix.lookup import Lookup
    from ..fix.verified import Verified

    here = [each for each in result.findings if each.span.row <= row <= each.span.end_row]
    lookup, verified = Lookup(result.findings, result.texts.source), Verified(task, result, wants=here.__contains__)
    lines: list[str] = []
    for each in here:
        sure = f"{each.severity.name.lower()}, {each.confidence.name.lower()}"
        if each.confidence < least:
            how = f"reported only with `--min-confidence {each.confidence.name.lower()}`"
            lines.append(f"{how}: {each.code} ({sure}) {each.message}")
            continue
        lines.append(f"reported: {each.code} ({sure}) {each.message}")
        lines += (f"    {line}" for line in _cure(each, lookup, verified))
        lines.append(f"    to accept it, end the line with: # synclint: ignore[{each.code}] reason")
    return lines


def _unasked(source: Source, row: int, asked: Options, around: Path | None) -> Iterator[str]:
    """Yield what would be reported about a row if every rule were selected, and which comments suppress findings."""
    from ..check import examined
    from ..finding import Kind
    from ..inference.explain import SILENT
    from ..rule import all_rules
    from ..suppression.suppress import suppressions
    from ..task import Task

    opt_in = tuple(each.code for each in all_rules() if not each.default and each.kind is not Kind.META)
    every = replace(asked, min_confidence="possible", extend_select=opt_in)
    for each in examined(Task.of([source.filename], every, around)).findings:
        if each.span.row <= row <= each.span.end_row:
            yield f"{SILENT}: {each.code} is opt-in and not selected (`--extend-select {each.code}`): {each.message}"
    for comment in suppressions(source):
        if comment.rows[0] <= row <= comment.rows[1]:
            names = ", ".join(comment.rules) or "all rules"
            yield f"{SILENT}: a comment suppresses {names} here ({source.filename}:{comment.span.line})"


def _cure(finding: Finding, lookup: Lookup, verified: Verified) -> Iterator[str]:
    """Yield what `--fix` would do about a finding, or why it does nothing."""
    fix = verified.fix(finding)
    if fix is not None:
        kind = {"safe": "", "unsafe": "unsafe: ", "display": "only shown: "}[fix.offer.applicability]
        yield f"fix: {fix.offer.title}" + (f" ({kind}{fix.offer.unsafe})" if fix.offer.unsafe else "")
        return
    if (offered := lookup.fix(finding)) is not None:
        yield f"no fix to {offered.offer.title}: the line would still be reported, or another one would"
        return
    refused = {offer.title: why for offer, why in reversed(lookup.refusals(finding))}
    if not finding.offers:
        yield f"no fix: none exists for this pattern, or too little is known about its values ({finding.name})"
    elif not refused:
        yield "no fix: the surrounding code cannot be rewritten"
    yield from (f"no fix to {title}: {why}" for title, why in reversed(refused.items()))


def _row(source: Source, number: int | None, row: int) -> int:
    """Return the requested row; without a cell number, the row of a notebook's file. Raises click.UsageError."""
    name = source.filename
    if number is None and not source.cells:
        if not 1 <= row <= len(source.lines):
            raise click.UsageError(f"{name} has {many(len(source.lines), 'line')}; there is no line {row}")
        return row
    if number is None:
        found = [cell.first + cell.rows.index(row) for cell in source.cells if row in cell.rows]
        if not found:
            raise click.UsageError(f"no code begins on line {row} of {name}; a location in a cell is {name}:cell 3:1")
        return found[0]
    cell = next((each for each in source.cells if each.number == number), None)
    if cell is None or not 1 <= row <= len(cell.rows):
        what = f"has {many(len(cell.rows), 'line')}; there is no line {row}" if cell else "is not a code cell"
        raise click.UsageError(f"cell {number} of {name} {what}")
    return cell.first + row - 1
