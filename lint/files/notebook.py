"""From a Jupyter notebook to the module that its code cells form, and to the positions of their lines.

The JSON is walked once, for the sake of positions: only the cells' sources are kept, and outputs are dropped as soon as
they are read. Source: nbformat's documentation, "The Notebook file format", for versions 4 and 3.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from ..finding import Cell
from .magics import opening, python

VERSIONS: Final = ("2", "3", "4")
"""The supported versions of the format; 2 and 3 differ in how they name things."""

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str, strict=False)
"""Numbers stay strings: nobody needs them here, and Python rejects very long ones."""

_OTHER_KERNELS: Final = re.compile(r"ir\d*$|julia")
"""Kernels of R and Julia, which some services name without their language."""


class NotebookError(Exception):
    """A file is not a readable notebook: the reason, and the row and column where it shows."""

    def __init__(self, message: str, row: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.row, self.column = row, column


@dataclass(frozen=True, slots=True)
class Broken:
    """A cell that is not Python: its number, and where in the module that shows."""

    cell: int
    row: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class Notebook:
    """The code cells as one text, as people wrote them; each is preceded by a row that nobody sees."""

    text: str
    cells: tuple[Cell, ...]

    def module(self) -> tuple[str, list[Broken]]:
        """Return the same rows as Python, and the cells that are not; those are blank, as in other languages."""
        rows = self.text.split("\n")
        texts: list[str] = []
        broken: list[Broken] = []
        for cell in self.cells:
            first = cell.first - 1
            text = _python("\n".join(rows[first : first + len(cell.rows)]), cell, broken)
            texts += [opening(text), text]
        return "\n".join(texts), broken


class Piece(NamedTuple):
    """A string of a cell's source, the row it begins in, and where it stands in the file, with its quotes."""

    text: str
    row: int
    start: int
    end: int


@dataclass(slots=True)
class _Raw:
    """A cell as in the file; the pieces of its source with the rows they begin on."""

    fields: dict[str, Any] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)

    def lines(self) -> tuple[list[str], list[int]]:
        """Return the lines of the source, and the row of the file on which each begins."""
        rows = [self.pieces[0].row if self.pieces else 1]
        is_empty, texts = True, []
        for piece in self.pieces:
            row, text = piece.row, piece.text.replace("\r\n", "\n").replace("\r", "\n")
            texts.append(text)
            rows[-1] = row if is_empty else rows[-1]
            rows += [row] * text.count("\n")
            is_empty = text.endswith("\n") or (is_empty and not text)
        return "".join(texts).split("\n"), rows

    @property
    def is_python(self) -> bool:
        """Whether it is a code cell that is not marked as another language."""
        language = self.fields.get("language") or _inner(self.fields, "metadata", "vscode", "languageId")
        return self.fields.get("cell_type") == "code" and _may_be_python(language)


def notebook(data: bytes) -> Notebook | None:
    """Return the notebook in a file's bytes; None if it is empty or in a language other than Python.

    Raises NotebookError.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise NotebookError("is not UTF-8 text, as notebooks must be; save it again", row) from error
    if not text.strip():
        return None
    try:
        found, about = _walked(_Walk(text))
    except json.JSONDecodeError as error:
        message = f"is not a notebook: {error.msg}; repair the file or exclude it"
        raise NotebookError(message, error.lineno, error.colno) from error
    except RecursionError as error:
        raise NotebookError("is nested too deeply to be read; exclude it") from error
    version = str(about.get("nbformat", "4"))
    if found is None:
        raise NotebookError("is not a notebook: it has no cells; repair the file or exclude it")
    if version not in VERSIONS:
        raise NotebookError(f"has notebook format {version[:20]}; save it in version 4 of the format")
    return _joined(found) if _is_python(about.get("metadata")) else None


def pieces(data: bytes) -> dict[int, list[Piece]]:
    """Return the strings that the cells' sources consist of, by the number of the cell. Raises NotebookError."""
    try:
        found, _ = _walked(_Walk(data.decode("utf-8-sig")))
    except (ValueError, RecursionError) as error:
        raise NotebookError(f"is not a notebook: {error}") from error
    return {number: raw.pieces for number, raw in enumerate(found or (), 1)}


def _is_python(metadata: object) -> bool:
    """Whether the kernel runs Python; if no language is given, its name identifies kernels of other languages."""
    language = _inner(metadata, "language_info", "name") or _inner(metadata, "kernelspec", "language")
    kernel = _inner(metadata, "kernelspec", "name")
    if not language and isinstance(kernel, str):
        return not _OTHER_KERNELS.match(kernel)
    return _may_be_python(language)


def _may_be_python(language: object) -> bool:
    return not isinstance(language, str) or not language or language.lower().startswith(("python", "ipython"))


def _inner(document: object, *names: str) -> object:
    for name in names:
        document = document.get(name) if isinstance(document, dict) else None
    return document


def _joined(found: Sequence[_Raw]) -> Notebook:
    """Return the code cells of all cells."""
    texts: list[str] = []
    cells: list[Cell] = []
    for number, raw in enumerate(found, 1):
        if raw.is_python:
            lines, rows = raw.lines()
            cells.append(Cell(number, len(texts) + 2, tuple(rows)))
            texts += ["", *lines]
    text = "\n".join(texts)
    return Notebook(text.encode(errors="replace").decode(), tuple(cells))  # unpaired surrogates are not text


def _python(source: str, cell: Cell, broken: list[Broken]) -> str:
    """Return the cell's Python; if it is not Python, blank rows, with the error recorded."""
    try:
        return python(source)
    except SyntaxError as error:
        row = min(max((error.lineno or 2) - 1, 1), len(cell.rows))
        column = min(max(error.offset or 1, 1), len(source.split("\n")[row - 1]) + 1)
        version = f"Python {sys.version_info.major}.{sys.version_info.minor}"
        message = f"is not valid {version} in cell {cell.number}: {error.msg}"
        broken.append(Broken(cell.number, cell.first + row - 1, column, message))
    except ValueError as error:
        broken.append(Broken(cell.number, cell.first, 1, f"could not be parsed in cell {cell.number}: {error}"))
    except (RecursionError, MemoryError):
        broken.append(Broken(cell.number, cell.first, 1, f"is nested too deeply in cell {cell.number}"))
    return "\n" * source.count("\n")


def _walked(walk: _Walk) -> tuple[list[_Raw] | None, dict[str, Any]]:
    """Return the cells, or None if there is no place for them, and what else the document says."""
    cells: list[_Raw] | None = None
    about: dict[str, Any] = {}
    for key in walk.members():
        if key == "cells":
            cells = cells or []
            cells += _cells(walk)
        elif key == "worksheets":  # version 3
            cells = cells or []
            cells += (cell for _ in walk.elements() for name in walk.members() for cell in _sheet(walk, name))
        else:
            about[key] = walk.value()
    walk.end()
    return cells, about


def _sheet(walk: _Walk, name: str) -> Iterator[_Raw]:
    if name == "cells":
        yield from _cells(walk)
    else:
        walk.value()


def _cells(walk: _Walk) -> Iterator[_Raw]:
    for _ in walk.elements():
        raw = _Raw()
        for key in walk.members():
            if key in ("source", "input"):
                raw.pieces = list(walk.texts())
            elif key in ("cell_type", "language", "metadata"):
                raw.fields[key] = walk.value()
            else:
                walk.value()
        yield raw


class _Walk:
    """A position in JSON text that moves on; every method raises json.JSONDecodeError.

    Callers that take a key or an element must read its value before asking for the next one.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._counted = (0, 1)

    def value(self) -> Any:
        """Return the value that follows."""
        self._next()
        value, self.at = _DECODER.raw_decode(self.text, self.at)
        return value

    def members(self) -> Iterator[str]:
        """Yield the keys of the object that follows."""
        for _ in self._items("{", "}"):
            if self._next() != '"':
                raise json.JSONDecodeError("Expecting property name enclosed in double quotes", self.text, self.at)
            key = self.value()
            self._expect(":")
            yield key

    def elements(self) -> Iterator[None]:
        """Yield once for each element of the array that follows."""
        return self._items("[", "]")

    def texts(self) -> Iterator[Piece]:
        """Yield the string that follows, or those of an array; nothing for other values."""
        for _ in self.elements() if self._next() == "[" else [None]:
            self._next()
            row, start = self._row(), self.at
            value = self.value()
            if isinstance(value, str):
                yield Piece(value, row, start, self.at)

    def end(self) -> None:
        """Check that nothing follows."""
        if self._next():
            raise json.JSONDecodeError("Extra data", self.text, self.at)

    def _items(self, start: str, stop: str) -> Iterator[None]:
        self._expect(start)
        if self._next() == stop:
            self.at += 1
            return
        while True:
            yield
            if self._next() == stop:
                self.at += 1
                return
            self._expect(",")

    def _next(self) -> str:
        """Return the next character that is not white space; empty at the end."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def _expect(self, character: str) -> None:
        if self._next() != character:
            raise json.JSONDecodeError(f"Expecting '{character}'", self.text, self.at)
        self.at += 1

    def _row(self) -> int:
        """Return the row of the position."""
        at, row = self._counted
        self._counted = (self.at, row + self.text.count("\n", at, self.at))
        return self._counted[1]
