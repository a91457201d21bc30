"""Where a comment that suppresses a finding goes: where formatters leave it, and `suppress` finds it again.

A file is only ever added to: comments, at the end of logical lines or on lines of their own. Nothing is inserted if
that changes the syntax tree, or if a comment would not suppress its finding.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ..files.source import Source, parse
from ..finding import Finding
from .suppress import suppressions

_LINES: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_CLAUSE: Final = re.compile(r"\s*(?:elif|except)\b")
_NOTHING_TO_SAY: Final = frozenset(
    (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
)


class LeftAlone(Exception):  # noqa: N818 - it is not an error but a decision
    """The reason why nothing is inserted."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """Text to insert before a column (from 0) of a row (from 1); `alone` says that it is a line of its own.

    `removed` is the number of characters that it replaces.
    """

    row: int
    column: int
    text: str
    alone: bool
    removed: int = 0


@dataclass(frozen=True, slots=True)
class _Line:
    """A logical line: where it starts, and where its last token ends."""

    start: tuple[int, int]
    end: tuple[int, int]


def physical_lines(text: str) -> list[str]:
    """Return the lines of a text, each with its line end."""
    return _LINES.findall(text)


def insertions(
    physical: Sequence[str], source: Source, findings: Iterable[Finding], reason: str, longest: int | None = None
) -> list[Insertion]:
    """Return what suppresses the findings, the last first; `physical` are the lines of the source's text.

    A comment that is there already for the same statement names one rule more. One that would make its line longer than
    `longest` stands before the statement. Raises LeftAlone.
    """
    end = next((each[len(each.rstrip("\r\n")) :] for each in physical if each.endswith(("\r", "\n"))), "\n")
    found, rest = _merged(source, findings)
    for (row, column), (first, is_plain, codes) in _places(source, rest).items():
        comment = f"# synclint: ignore[{', '.join(sorted(codes))}] {reason}".rstrip()
        is_long = is_plain and longest is not None and len(source.lines[row - 1]) + len(comment) + 2 > longest
        if column < 0 or is_long:
            line = source.lines[first - 1]
            indent = line[: len(line) - len(line.lstrip())]
            found.append(Insertion(first, 0, f"{indent}{comment}{end}", alone=True))
        else:
            found.append(Insertion(row, column, f"  {comment}", alone=False))
    return sorted(found, key=lambda each: (each.row, each.column), reverse=True)


def _merged(source: Source, findings: Iterable[Finding]) -> tuple[list[Insertion], list[Finding]]:
    """Return what to add to comments that suppress other rules on the same rows, and the findings without any."""
    there = {
        row: each
        for each in suppressions(source)
        if each.kind == "ignore" and each.rules
        for row in range(each.rows[0], each.rows[1] + 1)
    }
    rest: list[Finding] = []
    codes: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
    for finding in findings:
        comment = there.get(finding.span.row)
        if comment is None:
            rest.append(finding)
            continue
        row, column = comment.span.row, comment.span.column - 1
        codes[row, source.lines[row - 1].index("]", column)].add(finding.code)
    found = [
        Insertion(row, column, "".join(f", {code}" for code in sorted(more)), alone=False)
        for (row, column), more in codes.items()
    ]
    return found, rest


def inserted(physical: Sequence[str], wanted: Iterable[Insertion]) -> str:
    """Return the text with the insertions applied, which are given with the last first."""
    lines = list(physical)
    for each in wanted:
        line = lines[each.row - 1]
        lines[each.row - 1] = f"{line[: each.column]}{each.text}{line[each.column :]}"
    return "".join(lines)


def verify(before: Source, changed: bytes, findings: Iterable[Finding], wanted: Iterable[Insertion]) -> None:
    """Raise LeftAlone unless the changed program is the same and each finding is suppressed."""
    after = parse(changed, before.filename, wanted=True)
    try:
        if not isinstance(after, Source) or ast.dump(after.tree) != ast.dump(before.tree):
            raise LeftAlone("a comment would change the program")
    except RecursionError as error:
        raise LeftAlone("it is nested too deeply") from error
    written = {
        (row, code)
        for each in suppressions(after)
        if each.kind == "ignore"
        for row in range(each.rows[0], each.rows[1] + 1)
        for code in each.rules
    }
    new_rows = sorted(each.row for each in wanted if each.alone)
    for each in findings:
        row = each.span.row + bisect_right(new_rows, each.span.row)
        if (row, each.code) not in written:
            raise LeftAlone(f"no comment would suppress {each.code} in row {each.span.row}")


def _places(source: Source, findings: Iterable[Finding]) -> dict[tuple[int, int], tuple[int, bool, set[str]]]:
    """Return where the comments go: row and column (-1: on a line of its own before it); and what goes there.

    That is the line's first row, whether it is one statement that formatters do not part from a comment before it, and
    the rules.
    """
    statements = sorted(
        (node.lineno, source.column(node.lineno, node.col_offset) - 1)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.stmt | ast.excepthandler)
    )
    lines = list(_logical_lines(source))
    starts = [line.start for line in lines]
    places: dict[tuple[int, int], tuple[int, bool, set[str]]] = {}
    for each in findings:
        at = (each.span.row, each.span.column - 1)
        line = lines[max(bisect_right(starts, at) - 1, 0)] if lines else None
        if line is None or not line.start <= at <= line.end:
            raise LeftAlone("the tokenizer and the parser disagree about its lines")
        following = bisect_right(statements, at)
        follows = following < len(statements) and statements[following] <= line.end
        place = (line.start[0], -1) if follows else line.end
        begins = statements[bisect_left(statements, line.start) : bisect_right(statements, line.end)]
        is_plain = begins == [line.start] and not _CLAUSE.match(source.lines[line.start[0] - 1])
        places.setdefault(place, (line.start[0], is_plain, set()))[2].add(each.code)
    return places


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
        raise LeftAlone(f"it could not be tokenized: {error}") from error
