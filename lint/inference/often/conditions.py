"""Conditions under which code runs as often as is said, as the texts that a report quotes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final

from ...regex import regex

MOST_CONDITIONS: Final = 3
MOST_WAYS: Final = 2
"""Ways of which one must be gone are told if they are that many."""
MOST_WORDS: Final = 90
"""They are not told with more characters."""
_ITEM: Final = regex(r"(?:\[[^\[\]]*\]|\.\w+)$")
_NOT_PLAIN: Final = ("`", "…", " or ", " and ")
"""Parts of conditions that are not told beside another."""
_OPPOSITES: Final = (
    (" is not ", " is "), (" is ", " is not "), (" == ", " != "), (" != ", " == "), (" not in ", " in "),
    (" in ", " not in "), (" <= ", " > "), (" > ", " <= "), (" < ", " >= "), (" >= ", " < "),
)  # fmt: skip


def all_of(inner: tuple[str, ...], outer: tuple[str, ...]) -> tuple[str, ...]:
    """Return the conditions that must hold, the innermost first, without what goes without saying, and not too many.

    Where something equals one text, it need not be said that it equals no other: that is how `elif` is read. What is
    the opposite of an inner one is about something else of the same name, in another function, and would only confuse.
    """
    if not inner or not outer:
        return (inner or outer)[:MOST_CONDITIONS]
    chosen = {each.partition(" == ")[0] for each in inner if " == " in each}
    said = {*inner, *map(_opposite, inner)}
    more = (each for each in outer if each not in said and each.partition(" != ")[0] not in chosen)
    return (*inner, *more)[:MOST_CONDITIONS]


def common(conditions: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Return the conditions that hold on either way."""
    return tuple(each for each in conditions if each in others)


def shared(ways: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the conditions that hold on all ways; if there are none, what each of two asks of the same thing."""
    found = reduce(common, ways)
    others = sorted({conditions[0] for conditions in ways if conditions})
    if found or len(others) != MOST_WAYS or leave_nothing_out(ways) or len(set(map(_asked, others))) > 1:
        return found
    words = " or ".join(others)
    is_plain = len(words) <= MOST_WORDS and not any(part in each for each in others for part in _NOT_PLAIN)
    return (words,) if is_plain else ()


def _asked(condition: str) -> str:
    """Return what a condition asks something of: `kind` of `kind == "a"`, `flags` of `not flags["a"]`."""
    asked, compared, _ = condition.removeprefix("not ").partition(" ")
    return asked if compared else _ITEM.sub("", asked)


def leave_nothing_out(ways: Iterable[tuple[str, ...]]) -> bool:
    """Whether some way may always be gone: one has no conditions, or one has the opposite of another's."""
    said = [*ways]
    each_said = {condition for conditions in said for condition in conditions}
    return not all(said) or any(_opposite(condition) in each_said for condition in each_said)


def _opposite(condition: str) -> str:
    """Return the words for the opposite of a plain condition."""
    for one, other in _OPPOSITES:
        if one in condition:
            return condition.replace(one, other)
    return condition.removeprefix("not ") if condition.startswith("not ") else f"not {condition}"
