"""The documents that are open in the editor."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..files.notebook import notebook
from ..files.source import encoding_of

_PASS: Final = "surrogatepass"
"""An unpaired UTF-16 surrogate, which an editor may send, is not text; it becomes bytes that the linter reports."""


@dataclass(frozen=True, slots=True)
class Part:
    """What an editor counts the rows of by itself: a program, or a cell, which begins at row `first` of a document."""

    uri: str
    version: int | None
    first: int


@dataclass(frozen=True)
class Document:
    """One open document at one moment; `name` is its file's, which need not exist, and `text` may be unsaved."""

    uri: str
    name: str
    version: int | None
    text: str

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends, as the protocol counts them."""
        return tuple(self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    @cached_property
    def data(self) -> bytes:
        """The bytes that the file would contain if it were saved now."""
        data = self.text.encode("utf-8", _PASS)
        try:
            encoding = encoding_of(data)
            return data if encoding.startswith("utf-8") else self.text.encode(encoding)
        except (SyntaxError, LookupError, ValueError):
            return data

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What the editor counts the rows of by itself, from top to bottom."""
        return (Part(self.uri, self.version, 1),)

    def part(self, row: int) -> Part:
        """Return the part that a row belongs to."""
        return next((each for each in reversed(self.parts) if each.first <= row), self.parts[0])


@dataclass(frozen=True, slots=True)
class OpenCell:
    """A cell of a notebook that is open; `language` is empty for prose."""

    uri: str
    version: int | None
    language: str
    text: str


@dataclass(frozen=True)
class OpenNotebook(Document):
    """A notebook; its `text` is that of its cells of Python, as the linter joins them."""

    cells: tuple[OpenCell, ...] = ()

    @cached_property
    def data(self) -> bytes:
        """The bytes of a file with these cells and nothing else."""
        return _file(self.cells)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The cells of Python."""
        found = notebook(self.data)
        cells = ((self.cells[each.number - 1], each.first) for each in (found.cells if found else ()))
        return tuple(Part(cell.uri, cell.version, first) for cell, first in cells)


def opened_notebook(uri: str, name: str, version: int | None, cells: Sequence[OpenCell]) -> OpenNotebook:
    """Return a notebook that is open, with these cells."""
    found = notebook(_file(cells))
    return OpenNotebook(uri, name, version, found.text if found else "", tuple(cells))


def _file(cells: Sequence[OpenCell]) -> bytes:
    """Return a notebook file with these cells."""
    given = [
        {
            "cell_type": "code" if each.language else "markdown",
            "metadata": {"vscode": {"languageId": each.language}},
            "source": each.text,
        }
        for each in cells
    ]
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": given}).encode()
