"""Suppressions written into the code, where formatters leave them and where `suppress` finds them again.

A file is only ever added to: comments, at the end of logical lines or on lines of their own. It is left alone
if after that its tree is another one, or if a comment would not silence what it is for.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click

from .engine import Result
from .finding import Finding, Kind, Severity
from .output.text import escape
from .rewrite import write
from .selection import WITHOUT_REASON
from .source import Source, encoding_of, parse
from .suppress import suppressions
from .task import Task

_LINES: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_NOTHING_TO_SAY: Final = frozenset(
    (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
)


class _LeftAlone(Exception):  # noqa: N818 - it is no error but a decision
    """Why a file is not changed."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A logical line: where it starts, and where its last token ends."""

    start: tuple[int, int]
    end: tuple[int, int]


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
        except _LeftAlone as error:
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
        raise _LeftAlone(error.strerror or str(error)) from error


def _with_comments(data: bytes, name: str, findings: Sequence[Finding], reason: str, lines: Sequence[str]) -> bytes:
    source = parse(data, name, named=True)
    if not isinstance(source, Source) or not name.endswith((".py", ".pyi")):
        raise _LeftAlone("it is no Python file")
    if source.lines != tuple(lines):
        raise _LeftAlone("it was changed in the meantime")
    encoding = encoding_of(data)
    physical = _LINES.findall(data.decode(encoding))
    if "".join(physical).encode(encoding) != data:
        raise _LeftAlone("its encoding cannot be written back as it was")
    places = _places(source, findings)
    for row, column, codes in places:
        comment = f"# synclint: ignore[{', '.join(sorted(codes))}] {reason}".rstrip()
        _insert(physical, row, column, comment)
    try:
        changed = "".join(physical).encode(encoding)
    except UnicodeEncodeError as error:
        raise _LeftAlone(f"the reason cannot be written in {encoding}") from error
    _verify(source, changed, findings, [row for row, column, _ in places if column < 0])
    return changed


def _insert(physical: list[str], row: int, column: int, comment: str) -> None:
    """Put a comment behind the first columns of a row, or for -1 on a line of its own before it."""
    line = physical[row - 1]
    text = line.rstrip("\r\n")
    if column < 0:
        end = next((each[len(each.rstrip("\r\n")) :] for each in physical if each.endswith(("\r", "\n"))), "\n")
        indent = text[: len(text) - len(text.lstrip())]
        physical[row - 1] = f"{indent}{comment}{end}{line}"
    else:
        physical[row - 1] = f"{text[:column]}  {comment}{text[column:]}{line[len(text) :]}"


def _places(source: Source, findings: Iterable[Finding]) -> list[tuple[int, int, set[str]]]:
    """Where the comments go, the last first: row, column (-1: on a line of its own before it), and rules."""
    statements = [
        (node.lineno, source.column(node.lineno, node.col_offset) - 1, node)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.stmt | ast.excepthandler)
    ]
    lines = list(_logical_lines(source))
    places: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
    for each in findings:
        at = (each.span.row, each.span.column - 1)
        line = next((line for line in lines if line.start <= at <= line.end), None)
        if line is None:
            raise _LeftAlone("the tokenizer and the parser disagree about its lines")
        begins = [(row, column) for row, column, _ in statements if line.start <= (row, column) <= line.end]
        follows = any(begin > at for begin in begins)
        places[(line.start[0], -1) if follows else line.end].add(each.code)
    return [(row, column, codes) for (row, column), codes in sorted(places.items(), reverse=True)]


def _logical_lines(source: Source) -> Iterator[_Line]:
    start: tuple[int, int] | None = None
    end = (0, 0)
    try:
        for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
            if token.type == tokenize.NEWLINE:
                if start:
                    yield _Line(start, end)
                start = None
            elif token.type == tokenize.COMMENT and start:
                end = (token.end[0], token.start[1] + len(token.string.rstrip()))
            elif token.type not in _NOTHING_TO_SAY:
                start, end = start or token.start, token.end
    except (tokenize.TokenError, SyntaxError) as error:
        raise _LeftAlone(f"it cannot be split into tokens: {error}") from error


def _verify(before: Source, changed: bytes, findings: Iterable[Finding], new_rows: Sequence[int]) -> None:
    """Raises _LeftAlone unless the program is the same and each finding silenced."""
    after = parse(changed, before.filename, named=True)
    try:
        if not isinstance(after, Source) or ast.dump(after.tree) != ast.dump(before.tree):
            raise _LeftAlone("a comment would change the program")
    except RecursionError as error:
        raise _LeftAlone("it is nested too deeply") from error
    written = [each for each in suppressions(after) if each.kind == "ignore"]
    for each in findings:
        row = each.span.row + sum(new <= each.span.row for new in new_rows)
        if not any(one.rows[0] <= row <= one.rows[1] and each.code in one.rules for one in written):
            raise _LeftAlone(f"no comment would silence {each.code} in row {each.span.row}")
