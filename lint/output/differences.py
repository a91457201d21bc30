"""The difference between two texts as a unified diff, safe to print."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence

from ..files.edits import applied
from ..offers import Edit
from .text import as_source, escape


def difference(before: Sequence[str], after: Sequence[str], name: str, context: int = 3) -> Iterator[str]:
    """Yield the lines of a diff of two texts, which are given as lines with their line ends."""
    for line in difflib.unified_diff(before, after, name, name, n=context):
        text = line.removesuffix("\n")
        end = "\r" if text.endswith("\r") else ""
        yield as_source("".join(map(_shown, text.removesuffix("\r")))) + end
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def changes(edits: Iterable[Edit], lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines that some edits remove and add, with their neighbours; without the header of a diff."""
    before = [f"{line}\n" for line in lines]
    after = applied(before, edits).split("\n")
    yield from list(difference(before, [f"{line}\n" for line in after[:-1]], "", context=1))[2:]


def _shown(character: str) -> str:
    return character if character.isprintable() or character == "\t" else escape(character)
