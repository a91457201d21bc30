"""From bytes to a tree: reads a file, decides whether it can matter, parses it, and gives positions on demand.

The file is never imported, and nothing in it is run.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ..bounds.stack import in_deep_stack
from ..finding import Cell, Span
from . import regular
from .numbers import with_short_numbers

if TYPE_CHECKING:
    from .notebook import Broken, Notebook

_WORDS: Final = {
    b"orch": rb"[tT]orch",
    b"ensor": rb"[tT]ensor",
    b"cuda": rb"\bcuda\b",
    b"timm": rb"\btimm\b",
    b"SYNC": rb"SYNC[0-9]",
    b"item(": rb"\.item\(",
    b"tolist(": rb"\.tolist\(",
    b"cpu(": rb"\.cpu\(",
    b"nonzero(": rb"\.nonzero\(",
    **dict.fromkeys((b"lightning", b"transformers", b"accelerate", b"diffusers", b"deepspeed"), b""),
    **dict.fromkeys((b"kornia", b"jaxtyping", b"synclint:"), b""),
}
"""Bytes that are found fast -> the word that they are part of, if they are not that themselves.

A file without any of these words has nothing to do with PyTorch, unless it connects others that have.
"""
NOTEBOOK: Final = ".ipynb"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file or directory that could not be checked, where, and what to do about it."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment's text from its `#` on; `alone` says that there is nothing else on its line."""

    row: int
    column: int
    text: str
    alone: bool


@dataclass(frozen=True, slots=True)
class Source:
    """One parsed file; rows count from 1, `lines` have no line ends, and every line end of the text is a line feed.

    For a notebook, the text is that of its code `cells` together; `broken` lists those that are not Python.
    """

    filename: str
    text: str
    tree: ast.Module
    lines: tuple[str, ...]
    cells: tuple[Cell, ...] = ()
    broken: Unreadable | None = None

    def column(self, row: int, offset: int) -> int:
        """Return the column, in code points from 1, for a byte offset from the tree."""
        line = self.lines[row - 1]
        return (offset if line.isascii() else len(line.encode()[:offset].decode(errors="ignore"))) + 1

    def span(self, node: ast.expr | ast.stmt | ast.excepthandler | ast.arg | ast.keyword | ast.pattern) -> Span:
        """Return where a node of the tree is."""
        end_row, end_offset = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(
            self.filename,
            node.lineno,
            self.column(node.lineno, node.col_offset),
            end_row,
            self.column(end_row, end_offset),
            self.cell(node.lineno),
        )

    def cell(self, row: int) -> Cell | None:
        """Return the cell of a notebook that contains a row."""
        return _cell(self.cells, row) if self.cells else None

    def segment(self, node: ast.expr | ast.stmt) -> str:
        """Return the node's source text, with its line ends."""
        end_row, end_offset = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        start, end = self.column(node.lineno, node.col_offset) - 1, self.column(end_row, end_offset) - 1
        if node.lineno == end_row:
            return self.lines[end_row - 1][start:end]
        first, *middle, last = self.lines[node.lineno - 1 : end_row]
        return "\n".join((first[start:], *middle, last[:end]))


def read(path: str, filename: str, wanted: bool = False) -> Source | Unreadable | None:
    """Return the file's source, or why it cannot be read, or None if it cannot matter."""
    data = content(path, filename)
    return data if isinstance(data, Unreadable) else parse(data, filename, wanted)


def content(path: str, filename: str) -> bytes | Unreadable:
    """Return the file's bytes, or why it cannot be read."""
    try:
        return regular.read(path)
    except OSError as error:
        return Unreadable(start_of(filename), f"could not be read: {error.strerror or error}")


def parse(data: bytes, filename: str, wanted: bool = False) -> Source | Unreadable | None:
    """Return the source in a file's bytes, or why it cannot be parsed, or None if it cannot matter.

    Undecodable bytes are always reported. The rest is parsed only if one of the words that matter occurs in it, or if
    it is `wanted` all the same: by the user, or by other files.
    """
    if filename.endswith(NOTEBOOK):
        return _notebook(data, filename, wanted)
    text = decode(data, filename)
    if isinstance(text, Unreadable):
        return text
    if not wanted and not may_matter(data):
        return None
    return _tree(text, filename)


def may_matter(data: bytes) -> bool:
    """Whether one of the words that matter occurs in a file's bytes."""
    return any(part in data and (not word or re.search(word, data)) for part, word in _WORDS.items())


def text_of(data: bytes, filename: str) -> str | Unreadable:
    """Return the text that spans refer to, as people wrote it: for a notebook, its code cells together."""
    if not filename.endswith(NOTEBOOK):
        return decode(data, filename)
    found = _read_notebook(data, filename)
    return found if isinstance(found, Unreadable) else found.text if found else ""


def _notebook(data: bytes, filename: str, wanted: bool) -> Source | Unreadable | None:
    """Return the source of a notebook; its outputs are often large, so parsing is faster than searching."""
    found = _read_notebook(data, filename)
    searched = data if isinstance(found, Unreadable) else found.text.encode() if found else b""
    if not wanted and not may_matter(searched):
        return None
    if found is None or isinstance(found, Unreadable):
        return found
    text, broken = found.module()
    source = _tree(text, filename)
    if isinstance(source, Unreadable):
        return replace(source, span=replace(source.span, cell=_cell(found.cells, source.span.row)))
    return replace(source, cells=found.cells, broken=_unread(broken, found.cells, filename))


def _read_notebook(data: bytes, filename: str) -> Notebook | Unreadable | None:
    from .notebook import NotebookError, notebook

    try:
        return notebook(data)
    except NotebookError as error:
        return Unreadable(Span(filename, error.row, error.column, error.row, error.column), str(error))


def _unread(broken: Sequence[Broken], cells: Sequence[Cell], filename: str) -> Unreadable | None:
    """Return the report about a notebook's cells that are not Python."""
    if not broken:
        return None
    first, *more = broken
    span = Span(filename, first.row, first.column, first.row, first.column, _cell(cells, first.row))
    also = f" (also in cell {', '.join(str(each.cell) for each in more)})" if more else ""
    return Unreadable(span, f"{first.message}{also}; the other cells were checked")


def _cell(cells: Sequence[Cell], row: int) -> Cell | None:
    at = bisect_right(cells, row, key=lambda cell: cell.first)
    return cells[max(at - 1, 0)] if cells else None


def start_of(filename: str) -> Span:
    """Return the span for a file as a whole: its first character."""
    return Span(filename, 1, 1, 1, 1)


def decode(data: bytes, filename: str) -> str | Unreadable:
    """Return the text of a Python file's bytes by the rules of the language, with line feeds as line ends."""
    if (at := data.find(b"\0")) >= 0:
        return Unreadable(_place(data, at, filename), "contains a null byte, so it is not Python source; exclude it")
    try:
        encoding = encoding_of(data)
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        at = error.start
        message = f"is not {error.encoding} text (byte 0x{data[at]:02x}); save it as UTF-8 or declare its encoding"
        return Unreadable(_place(data, at, filename), f"{message} in the first line: # -*- coding: latin-1 -*-")
    except (SyntaxError, LookupError, ValueError) as error:
        return Unreadable(start_of(filename), f"has an encoding unknown to Python ({error}); save it as UTF-8")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def encoding_of(data: bytes) -> str:
    """Return the encoding by byte-order mark and coding line; `tokenize` is imported only if there may be one."""
    head = data[: data.find(b"\n", data.find(b"\n") + 1)] if data.count(b"\n", 0, 4096) > 1 else data[:4096]
    if b"coding" in head:
        import io
        import tokenize

        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    return "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"


def _place(data: bytes, at: int, filename: str) -> Span:
    """Return the position of a byte, counted without knowing the encoding."""
    before = data[:at].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    row, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    return Span(filename, row, column, row, column + 1)


def _tree(text: str, filename: str) -> Source | Unreadable:
    try:
        tree = _parse(text)
    except RecursionError:
        try:
            tree = in_deep_stack(lambda: _parse(text))
        except (RecursionError, MemoryError, SyntaxError):
            return Unreadable(start_of(filename), "is nested too deeply to be parsed; exclude it")
    except MemoryError:
        return Unreadable(start_of(filename), "is nested too deeply to be parsed; exclude it")
    except SyntaxError as error:
        return _syntax_error(error, text, filename)
    except ValueError as error:
        return Unreadable(start_of(filename), f"could not be parsed: {error}")
    return Source(filename, text, tree, tuple(text.split("\n")))


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(with_short_numbers(text))


def _syntax_error(error: SyntaxError, text: str, filename: str) -> Unreadable:
    lines = text.split("\n")
    row = min(max(error.lineno or 1, 1), len(lines))
    column = min(max(error.offset or 1, 1), len(lines[row - 1]) + 1)
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    message = f"is not valid {python}: {error.msg}; fix it, or run synclint with the Python it is written for"
    return Unreadable(Span(filename, row, column, row, column), message)


def comments(source: Source) -> Iterator[Comment]:
    """Yield the file's comments, in order; none if the tokenizer and the parser disagree."""
    import io
    import tokenize

    try:
        for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
            if token.type == tokenize.COMMENT:
                row, offset = token.start
                yield Comment(row, offset + 1, token.string, not source.lines[row - 1][:offset].strip())
    except (tokenize.TokenError, SyntaxError):
        return
