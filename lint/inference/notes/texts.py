"""What the texts in a file may name: functions, classes and modules, or values that something is compared with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...regex import regex

_QUOTED: Final = regex(r"[\"']([^\W\d][\w.:/-]*)[\"'](?![ \t]*:[ \t])")
_ASKED: Final = regex(r"attr\([^,\n]+,[ \t]*[\"']([^\W\d]\w*)[\"']")
"""A text by which something is asked for what it has: `getattr(models, "Net")`."""
_COMPARED: Final = regex(r"[=!]=[ \t]*[\"']([^\W\d]\w*)[\"']")
_AMONG: Final = regex(r"\bin[ \t]*[\[({]([^\[\](){}]*)[\])}]")
_WORD: Final = regex(r"[^\W\d]\w*")


def named_by_texts(text: str) -> Iterator[str]:
    """Yield what texts in code may name, as `Mentions` tells it."""
    for each in set(_QUOTED.findall(text)):
        yield from [f'"{each}'] if each.isidentifier() else _WORD.findall(each)
    if "attr(" in text:
        yield from _ASKED.findall(text)
    yield from (f"={each}" for each in _compared(text))


def _compared(text: str) -> set[str]:
    """Return the words that something is compared with: `mode == "train"`, `mode in ["train", "val"]`."""
    found = set(_COMPARED.findall(text))
    for each in set(_AMONG.findall(text) if " in " in text else ()):
        found.update(_QUOTED.findall(each))
    return found
