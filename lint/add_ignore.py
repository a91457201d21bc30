"""Suppressions written into files: comments, where `ignore_comments` says, and nothing else is changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from .engine import Result
from .finding import Finding, Kind, Severity
from .ignore_comments import LeftAlone, inserted, insertions, physical_lines, verify
from .output.text import escape
from .rewrite import write
from .selection import WITHOUT_REASON
from .source import NOTEBOOK, Source, encoding_of, parse
from .task import Task


def add_ignores(result: Result, task: Task) -> Result:
    """Write a suppression for everything that would be shown, say so, and return what could not be silenced.

    Raises click.UsageError where the reason cannot stand in a comment, or is missing and required.
    """
    reason = _checked(task)
    meta = {rule.code for rule in task.rules if rule.kind is Kind.META}
    by_file: defaultdict[str, list[Finding]] = defaultdict(list)
    for each in result.findings:
        if each.severity > Severity.NOTE or task.options["show_notes"]:
            by_file[each.span.filename].append(each)
    left: list[Finding] = []
    done = files = 0
    for name, findings in by_file.items():
        wanted = [each for each in findings if each.code not in meta]
        try:
            _change(name, wanted, reason, result.texts.lines(name))
        except LeftAlone as error:
            click.echo(f"{escape(name)}: left as it is: {escape(str(error))}", err=True)
            wanted = []
        done, files = done + len(wanted), files + bool(wanted)
        left += [each for each in findings if each not in wanted]
    click.echo(f"suppressed {done} finding{'s' * (done != 1)} in {files} file{'s' * (files != 1)}")
    if left:
        click.echo(f"{len(left)} could not be suppressed by a comment", err=True)
    return replace(result, findings=tuple(left))


def _checked(task: Task) -> str:
    reason = str(task.options["add_ignore"]).strip()
    if "-" in task.paths:
        raise click.UsageError("--add-ignore changes files; give their names instead of `-`")
    if "#" in reason or not reason.isprintable():
        raise click.UsageError("the reason stands in a comment; write it on one line and without `#`")
    if not reason and any(rule.code == WITHOUT_REASON for rule in task.rules):
        raise click.UsageError("suppressions need a reason here; write --add-ignore=REASON")
    return reason


def _change(name: str, findings: Sequence[Finding], reason: str, lines: Sequence[str]) -> None:
    """Write the suppressions into one file."""
    if not findings:
        return
    try:
        data = Path(name).read_bytes()
        changed = _with_comments(data, name, findings, reason, lines)
        write(name, changed)
    except OSError as error:
        raise LeftAlone(error.strerror or str(error)) from error


def _with_comments(data: bytes, name: str, findings: Sequence[Finding], reason: str, lines: Sequence[str]) -> bytes:
    if name.endswith(NOTEBOOK):
        raise LeftAlone("it is a notebook; write the comments in its cells")
    source = parse(data, name, named=True)
    if not isinstance(source, Source) or not name.endswith((".py", ".pyi")):
        raise LeftAlone("it is no Python file")
    if source.lines != tuple(lines):
        raise LeftAlone("it was changed in the meantime")
    encoding = encoding_of(data)
    physical = physical_lines(data.decode(encoding))
    if "".join(physical).encode(encoding) != data:
        raise LeftAlone("its encoding cannot be written back as it was")
    wanted = insertions(physical, source, findings, reason)
    try:
        changed = inserted(physical, wanted).encode(encoding)
    except UnicodeEncodeError as error:
        raise LeftAlone(f"the reason cannot be written in {encoding}") from error
    verify(source, changed, findings, wanted)
    return changed
