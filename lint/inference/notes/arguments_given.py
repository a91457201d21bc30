"""Words for an argument of a call as reading sees it, before it is known what is called."""

from __future__ import annotations

from typing import Final

_AT: Final = "@"


def argument(name: str, at: int | str) -> str:
    """Return the words for what is passed at a position, or by a keyword, to what is called by a name."""
    return f"{name}{_AT}{at}"


def argument_in(words: str) -> tuple[str, int | str]:
    """Return the name of what is called, and the position or keyword."""
    name, _, at = words.rpartition(_AT)
    return name, int(at) if at.isdigit() else at
