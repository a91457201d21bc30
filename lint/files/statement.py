"""The text of a statement without its layout: what remains when every formatter has had its say."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from typing import Final

from ..finding import squeezed
from ..limits import LONGEST_STATEMENT
from ..regex import regex
from .numbers import with_short_numbers

_FIRST_WORD: Final = regex(r"\s*(\w*)")
_OPENERS: Final = {"elif": "if 1: pass", "else": "if 1: pass", "except": "try: pass", "finally": "try: pass"}
_BELOW: Final = ("body", "orelse", "finalbody", "handlers", "cases", "decorator_list")


def normalised(lines: Sequence[str], row: int, column: int) -> str:
    """Return the innermost statement around a position, as `ast.unparse` writes it; for a compound one, its header.

    `lines` are those of a statement or of its header; `row` counts from 0 in them, `column` from 1 in code points. Text
    that cannot be parsed on its own keeps its words and loses its white space.
    """
    offset = len(lines[row][: column - 1].encode()) if 0 <= row < len(lines) else 0
    for before, after in _surroundings(lines[0]) if lines else ():
        tree = _parsed("\n".join((*before, *lines, *after)))
        if tree is not None and tree.body:
            return _text(tree, row + len(before) + 1, offset) or _collapsed(lines)
    return _collapsed(lines)


def _surroundings(first: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield what to put before and after the lines to make a program of them: an outer block, and a body."""
    match = _FIRST_WORD.match(first)
    word = match[1] if match else ""
    indent = first[: len(first) - len(first.lstrip())]
    before = ["match 1:" if word == "case" else "if 1:"] if indent else []
    before += [indent + _OPENERS[word]] if word in _OPENERS else []
    yield before, []
    yield before, [indent + " pass"]


def _parsed(text: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(with_short_numbers(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _text(tree: ast.Module, row: int, offset: int) -> str:
    """Return the innermost statement around a position, or else the tree's last; a walk visits outer ones first."""
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.excepthandler)]
    around = [node for node in statements if _contains(node, row, offset)]
    return header(around[-1] if around else statements[-1])


def header(node: ast.stmt | ast.excepthandler) -> str:
    """Return a statement as `ast.unparse` writes it, without what is below its header; empty if it is too deep."""
    alone = type(node)(
        **{name: [] if name in _BELOW and isinstance(part, list) else part for name, part in vars(node).items()}
    )
    try:
        return " ".join(ast.unparse(alone).split())
    except (RecursionError, MemoryError):
        return ""


def shortened(statement: str) -> str:
    """Return the text of a statement as files keep it: a long one is cut, and told apart by a digest."""
    if len(statement) <= LONGEST_STATEMENT:
        return statement
    import hashlib

    digest = hashlib.sha256(squeezed(statement).encode(errors="surrogatepass")).hexdigest()[:12]
    return f"{statement[: LONGEST_STATEMENT - 40]}… #{digest}"


def _contains(node: ast.stmt | ast.excepthandler, row: int, offset: int) -> bool:
    end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
    return (node.lineno, node.col_offset) <= (row, offset) < end


def _collapsed(lines: Sequence[str]) -> str:
    return " ".join(" ".join(lines).split())
