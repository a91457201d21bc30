"""Suppressions written into files: comments where `ignore_comments` puts them, and no other change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from ..files.regular import read
from ..files.source import NOTEBOOK, Source, encoding_of, parse, text_of
from ..finding import Finding, Kind, Severity, many
from ..output.text import escape
from ..run.discovery import SUFFIXES
from ..run.result import Result
from ..settings.selection import WITHOUT_REASON
from ..store.rewrite import write
from ..suppression.ignore_comments import LeftAlone, inserted, insertions, physical_lines, verify
from ..suppression.line_length import line_length
from ..task import Task


def add_ignores(result: Result, task: Task) -> Result:
    """Write a suppression for everything that would be shown, say so, and return what could not be suppressed.

    Raises click.UsageError if the reason cannot be part of a comment, or is missing but required.
    """
    reason = _checked(task)
    meta = {rule.code for rule in task.rules if rule.kind is Kind.META}
    by_file: defaultdict[str, list[Finding]] = defaultdict(list)
    for each in result.findings:
        if each.severity > Severity.NOTE or task.options.show_notes:
            by_file[each.span.filename].append(each)
    left: list[Finding] = []
    done = files = 0
    for name, findings in by_file.items():
        wanted = [each for each in findings if each.code not in meta]
        try:
            _change(name, wanted, reason, result.texts.lines(name), task.settings.top)
        except LeftAlone as error:
            click.echo(f"{escape(name)}: unchanged: {escape(str(error))}", err=True)
            wanted = []
        done, files = done + len(wanted), files + bool(wanted)
        left += [each for each in findings if each not in wanted]
    click.echo(f"suppressed {many(done, 'finding')} in {many(files, 'file')}")
    if left:
        click.echo(f"{len(left)} could not be suppressed by a comment", err=True)
    return replace(result, findings=tuple(left))


def _checked(task: Task) -> str:
    reason = str(task.options.add_ignore).strip()
    if "-" in task.paths:
        raise click.UsageError("--add-ignore changes files; pass their names instead of `-`")
    if "#" in reason or not reason.isprintable():
        raise click.UsageError("the reason becomes a comment; write it on one line and without `#`")
    if not reason and any(rule.code == WITHOUT_REASON for rule in task.rules):
        raise click.UsageError("suppressions require a reason here; use --add-ignore=REASON")
    return reason


def _change(name: str, findings: Sequence[Finding], reason: str, lines: Sequence[str], tree: Path) -> None:
    """Write the suppressions into one file."""
    if not findings:
        return
    try:
        data = read(name)
        if text_of(data, name) != "\n".join(lines):
            raise LeftAlone("it was changed in the meantime")
        source = parse(data, name, wanted=True)
        if not isinstance(source, Source) or not name.endswith(SUFFIXES):
            raise LeftAlone("it is not a Python file")
        write(name, _with_comments(data, source, findings, reason), tree)
    except OSError as error:
        raise LeftAlone(error.strerror or str(error)) from error


def _with_comments(data: bytes, source: Source, findings: Sequence[Finding], reason: str) -> bytes:
    """Return the file with comments on lines of their own where others would be too long, if that suppresses too."""
    insert = _into_notebook if source.filename.endswith(NOTEBOOK) else _into_module
    try:
        return insert(data, source, findings, reason, line_length(source.filename))
    except LeftAlone:
        return insert(data, source, findings, reason, None)


def _into_module(data: bytes, source: Source, findings: Sequence[Finding], reason: str, longest: int | None) -> bytes:
    encoding = encoding_of(data)
    physical = physical_lines(data.decode(encoding))
    if "".join(physical).encode(encoding) != data:
        raise LeftAlone("its encoding cannot be preserved")
    wanted = insertions(physical, source, findings, reason, longest)
    try:
        changed = inserted(physical, wanted).encode(encoding)
    except UnicodeEncodeError as error:
        raise LeftAlone(f"the reason cannot be encoded in {encoding}") from error
    verify(source, changed, findings, wanted)
    return changed


def _into_notebook(data: bytes, source: Source, findings: Sequence[Finding], reason: str, longest: int | None) -> bytes:
    from ..files.notebook import NotebookError
    from ..suppression.notebook_comments import with_insertions

    wanted = insertions([], source, findings, reason, longest)
    try:
        changed = with_insertions(data, source.cells, wanted)
    except (NotebookError, UnicodeEncodeError) as error:
        raise LeftAlone(f"it cannot be written back as it was: {error}") from error
    verify(source, changed, findings, wanted)
    return changed
