"""Where a comment that suppresses a finding goes: where formatters leave it, and `suppress` finds it again.

A file is only ever added to: comments, at the end of logical lines or on lines of their own. Nothing is inserted
if after that its tree is another one, or if a comment would not silence what it is for.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .finding import Finding
from .source import Source, parse
from .suppress import suppressions

_LINES: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_NOTHING_TO_SAY: Final = frozenset(
    (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
)


class LeftAlone(Exception):  # noqa: N818 - it is no error but a decision
    """Why nothing is inserted."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """Text to put before a column, from 0, of a row, from 1; `alone` says that it is a line of its own."""

    row: int
    column: int
    text: str
    alone: bool


@dataclass(frozen=True, slots=True)
class _Line:
    """A logical line: where it starts, and where its last token ends."""

    start: tuple[int, int]
    end: tuple[int, int]


def physical_lines(text: str) -> list[str]:
    """The lines of a text, each with its own line end."""
    return _LINES.findall(text)


def insertions(physical: Sequence[str], source: Source, findings: Iterable[Finding], reason: str) -> list[Insertion]:
    """The comments that suppress the findings, the last first; `physical` are the lines of the source's text.

    Raises LeftAlone.
    """
    end = next((each[len(each.rstrip("\r\n")) :] for each in physical if each.endswith(("\r", "\n"))), "\n")
    found = []
    for row, column, codes in _places(source, findings):
        comment = f"# synclint: ignore[{', '.join(sorted(codes))}] {reason}".rstrip()
        if column < 0:
            line = source.lines[row - 1]
            indent = line[: len(line) - len(line.lstrip())]
            found.append(Insertion(row, 0, f"{indent}{comment}{end}", alone=True))
        else:
            found.append(Insertion(row, column, f"  {comment}", alone=False))
    return found


def inserted(physical: Sequence[str], wanted: Iterable[Insertion]) -> str:
    """The text with the insertions, which come with the last first."""
    lines = list(physical)
    for each in wanted:
        line = lines[each.row - 1]
        lines[each.row - 1] = f"{line[: each.column]}{each.text}{line[each.column :]}"
    return "".join(lines)


def verify(before: Source, changed: bytes, findings: Iterable[Finding], wanted: Iterable[Insertion]) -> None:
    """Raises LeftAlone unless the changed program is the same and each finding silenced."""
    after = parse(changed, before.filename, named=True)
    try:
        if not isinstance(after, Source) or ast.dump(after.tree) != ast.dump(before.tree):
            raise LeftAlone("a comment would change the program")
    except RecursionError as error:
        raise LeftAlone("it is nested too deeply") from error
    written = [each for each in suppressions(after) if each.kind == "ignore"]
    new_rows = [each.row for each in wanted if each.alone]
    for each in findings:
        row = each.span.row + sum(new <= each.span.row for new in new_rows)
        if not any(one.rows[0] <= row <= one.rows[1] and each.code in one.rules for one in written):
            raise LeftAlone(f"no comment would silence {each.code} in row {each.span.row}")


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
            raise LeftAlone("the tokenizer and the parser disagree about its lines")
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
        raise LeftAlone(f"it cannot be split into tokens: {error}") from error
