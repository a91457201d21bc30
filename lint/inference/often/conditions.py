"""Conditions under which code runs as often as is said, as the texts that a report quotes."""

from __future__ import annotations

from typing import Final

MOST_CONDITIONS: Final = 3


def all_of(inner: tuple[str, ...], outer: tuple[str, ...]) -> tuple[str, ...]:
    """Return the conditions that must hold, the innermost first, without what goes without saying, and not too many.

    Where something equals one text, it need not be said that it equals no other: that is how `elif` is read.
    """
    if not inner or not outer:
        return (inner or outer)[:MOST_CONDITIONS]
    chosen = {each.partition(" == ")[0] for each in inner if " == " in each}
    more = (each for each in outer if each not in inner and each.partition(" != ")[0] not in chosen)
    return (*inner, *more)[:MOST_CONDITIONS]


def common(conditions: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Return the conditions that hold on either way."""
    return tuple(each for each in conditions if each in others)
