"""The words of files beside the code, which may say by name what it runs."""

from __future__ import annotations

from typing import Final

from ...regex import regex

MARK: Final = "$"
"""Stands before a word of such a file."""
GOING_THROUGH: Final = f"{MARK}*"
"""Stands for code that goes through whatever there is, which then nobody has to name."""
_WORD: Final = regex(r"[^\W\d]\w\w+")


def chosen_words(text: str) -> set[str]:
    """Return the words of such a file, each as `as_chosen` has it."""
    return set(map(as_chosen, set(_WORD.findall(text))))


def as_chosen(name: str) -> str:
    """Return a name as files may choose it, which write `focal_loss` for `FocalLoss`."""
    return f"{MARK}{name.replace('_', '').lower()}"
