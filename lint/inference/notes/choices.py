"""The words of files beside the code, which may say by name what it runs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ...regex import regex

MARK: Final = "$"
"""Stands before a word of such a file."""
GOING_THROUGH: Final = f"{MARK}*"
"""Stands for code that goes through whatever there is, which then nobody has to name."""
ENDING: Final = f"{MARK}."
"""Stands before the end of a text in code, which others begin: `f"models.{name}" + ".Net"`."""
_ENDING: Final = regex(r"[\"'](?:[^\"'\n]*\})?\.([^\W\d]\w*)[\"']")
_WORD: Final = regex(r"[^\W\d]\w\w+")


def chosen_words(text: str) -> set[str]:
    """Return the words of such a file, each as `as_chosen` has it."""
    return set(map(as_chosen, set(_WORD.findall(text)))) - {MARK}  # of underscores alone nothing is left


def as_chosen(name: str, mark: str = MARK) -> str:
    """Return a name as files may choose it, which write `focal_loss` for `FocalLoss`."""
    return f"{mark}{name.replace('_', '').lower()}"


def endings(text: str) -> set[str]:
    """Return the names with which texts in code end that begin elsewhere."""
    return {as_chosen(each, ENDING) for each in _ENDING.findall(text)}


def are_any(words: Collection[str]) -> bool:
    """Whether there are files that choose by name, and no code goes through all there is."""
    return GOING_THROUGH not in words and any(each[0] == MARK and not each.startswith(ENDING) for each in words)
