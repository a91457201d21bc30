"""The evidence that `check` is given: whether it is trusted, what it comes to, and a line that says so."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import click

from ..fields import FieldError
from ..files.paths import is_below, repository
from ..finding import many
from ..measurements.reading import evidence
from ..output.text import escape
from ..run.engine import Result
from ..task import Task
from .joining import Counts, joined


def with_evidence(result: Result, task: Task, files: Sequence[str]) -> Result:
    """Return the result with what the files say of it, and tell people of that. Raises click.UsageError."""
    try:
        found = evidence(files)
    except FieldError as error:
        raise click.UsageError(escape(str(error))) from error
    trusted = task.options.trust_evidence or (bool(task.options.evidence) and _is_outside(files, task))
    result, counts = joined(result, found, [file.name for file in task.files], task.groups, trusted)
    if not task.options.quiet:
        click.echo(f"evidence of {many(len(found.runs), 'run')}: {', '.join(_said(counts, trusted))}", err=True)
    return result


def _is_outside(files: Sequence[str], task: Task) -> bool:
    """Whether all files are outside of what is checked, also where they are links: nothing of the tree wrote them."""
    tree = repository(task.start) or task.settings.top
    return not any(is_below(path, tree) for each in files for path in (os.path.abspath(each), os.path.realpath(each)))


def _said(counts: Counts, trusted: bool) -> Iterator[str]:
    yield f"{many(counts.measured, 'finding')} measured"
    if counts.refuted:
        yield f"{counts.refuted} ran without a wait{'' if trusted else ' (--trust-evidence makes them notes)'}"
    yield f"{counts.unreached} not in it"
    if counts.unreported:
        yield f"{many(counts.unreported, 'line')} that no other rule reports"
    if counts.stale:
        yield f"{many(counts.stale, 'line')} of it ignored, as the source has changed"
