"""The words of files beside the code, which may say by name what it runs."""

from __future__ import annotations

from typing import Final

from ...regex import regex

MARK: Final = "$"
"""Stands before a word of such a file."""
TOLD: Final = f"{MARK}-"
"""Stands before a word of instructions, which are written for people."""
GOING_THROUGH: Final = f"{MARK}*"
"""Stands for code that goes through whatever there is, which then nobody has to name."""
ENDING: Final = f"{MARK}."
"""Stands before the end of a text in code, which others begin: `f"models.{name}" + ".Net"`."""
_ENDING: Final = regex(r"[\"'](?:[^\"'\n]*\})?\.([^\W\d]\w*)[\"']")
_WORD: Final = regex(r"[^\W\d]\w\w+")


def chosen_words(text: str, mark: str) -> set[str]:
    """Return the words of such a file, each as `as_chosen` has it."""
    return {f"{mark}{each}" for each in _WORD.findall(as_chosen(text, ""))}


def as_chosen(name: str, mark: str = MARK) -> str:
    """Return a name as files may choose it, which write `focal_loss` for `FocalLoss`."""
    return f"{mark}{name.replace('_', '').lower()}"


def endings(text: str) -> set[str]:
    """Return the names with which texts in code end that begin elsewhere."""
    return {as_chosen(each, ENDING) for each in _ENDING.findall(text)}
