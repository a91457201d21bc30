"""The statements of a file by function and text, as evidence tells lines."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ..files.source import Source
from ..files.statement import header, shortened
from ..finding import Span
from .entries import numbered


class Statement(NamedTuple):
    """A statement: its function within the file, its text, the number among its equals, and where it is."""

    function: str
    text: str
    nth: int
    span: Span


def statements(source: Source, functions: Collection[str] | None = None) -> list[Statement]:
    """Return the statements of a file, or of some functions, outer ones first; of a compound one, the header."""
    every = (each for each in _found(source.tree, "") if functions is None or each[0] in functions)
    found = sorted(every, key=lambda each: (each[1].lineno, each[1].col_offset))
    numbers = numbered((function, shortened(header(node))) for function, node in found)
    return [Statement(*each, _span(source, node)) for each, (_, node) in zip(numbers, found)]


def at(found: list[Statement], row: int) -> Statement | None:
    """Return the innermost statement on a row."""
    around = [each for each in found if each.span.row <= row <= each.span.end_row]
    return max(around, key=lambda each: (each.span.row, each.span.column), default=None)


def _found(tree: ast.AST, function: str) -> Iterator[tuple[str, ast.stmt]]:
    left = [(tree, function)]
    while left:
        node, function = left.pop()
        for child in ast.iter_child_nodes(node):
            inner = function
            if isinstance(child, ast.stmt):
                yield function, child
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{function}.{child.name}" if function else child.name
            if not isinstance(child, ast.expr):
                left.append((child, inner))


def _span(source: Source, node: ast.stmt) -> Span:
    """Return where a statement is; a compound one ends before what is below it."""
    span = source.span(node)
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        return span
    first = body[0].pattern if isinstance(body[0], ast.match_case) else body[0]
    row = first.lineno if first.lineno == node.lineno else first.lineno - 1
    above = min((each.lineno for each in getattr(first, "decorator_list", ())), default=first.lineno)
    row = max(node.lineno, min(row, above - 1))
    return Span(span.filename, span.row, span.column, row, len(source.lines[row - 1]) + 1, span.cell)
