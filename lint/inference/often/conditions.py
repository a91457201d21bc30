"""Conditions under which code runs as often as is said, as the texts that a report quotes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final

from ...facts import states
from ...limits import MOST_CONDITIONS, MOST_TOLD, MOST_WAYS, MOST_WORDS
from ...regex import regex

OTHERS: Final = " or others"
_TRAINS: Final = regex(states.TRAINING_FLAGS)
_EVALUATES: Final = regex(states.EVALUATION_FLAGS)
_ITEM: Final = regex(r"(?:\[[^\[\]]*\]|\.\w+)$")
_LITERAL: Final = regex(r"'[^']*'|\"[^\"]*\"|-?\d[\d.]*")
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
    said = {*inner, *map(opposite, inner)}
    more = (each for each in outer if each not in said and each.partition(" != ")[0] not in chosen)
    return (*inner, *more)[:MOST_CONDITIONS]


def common(conditions: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Return the conditions that both ways ask for, in the same words: there may be ways that are not seen."""
    return tuple(each for each in conditions if each in others)


def on_either(conditions: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Return the conditions that hold on either way, and there are no others: what equals one text equals no other."""
    mine = [each for each in conditions if each in others or _is_implied(each, others)]
    return (*mine, *(each for each in others if each not in mine and _is_implied(each, conditions)))


def _is_implied(condition: str, by: Iterable[str]) -> bool:
    """Whether a condition says what something is not, and others what it is instead."""
    asked, differs, excluded = condition.partition(" != ")
    if not differs or not _LITERAL.fullmatch(excluded):
        return False
    known = (value for subject, equals, value in (each.partition(" == ") for each in by) if equals and subject == asked)
    return any(value != excluded and _LITERAL.fullmatch(value) for value in known)


def shared(ways: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the conditions that hold on all ways, and what else one way asks, where others ask something else."""
    found = reduce(on_either, ways)
    others = sorted({tuple(each for each in way if each not in found) for way in ways}, key=_length)
    if leave_nothing_out(others):
        return found
    told = _of_two(others) or _or_others([each for each in others[0] if not each.startswith("`")])
    return (told, *found)[:MOST_CONDITIONS] if told else found


def _length(conditions: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]]:
    """Return what orders ways by how little they ask."""
    return len(conditions), sum(map(len, conditions)), conditions


def _of_two(ways: Sequence[tuple[str, ...]]) -> str:
    """Return what two ways ask of the same thing, as one condition; empty if they do not."""
    asked = sorted({way[0] for way in ways})
    if len(asked) != MOST_WAYS or len(set(map(_asked, asked))) > 1:
        return ""
    words = " or ".join(asked)
    return words if len(words) <= MOST_WORDS and not any(part in each for each in asked for part in _NOT_PLAIN) else ""


def _or_others(way: Sequence[str]) -> str:
    """Return what one way asks in words that say that it is not the only one; empty if it asks nothing."""
    return f"{' and '.join(f'`{each}`' for each in way[:MOST_TOLD])}{OTHERS}" if way else ""


def _asked(condition: str) -> str:
    """Return what a condition asks something of: `kind` of `kind == "a"`, `flags` of `not flags["a"]`."""
    asked, compared, _ = condition.removeprefix("not ").partition(" ")
    return asked if compared else _ITEM.sub("", asked)


def leave_nothing_out(ways: Iterable[tuple[str, ...]]) -> bool:
    """Whether some way may always be gone: one has no conditions, or one has the opposite of another's."""
    said = [*ways]
    denied = {denied_by(condition) for conditions in said for condition in conditions}
    return not all(said) or any(each.issubset(way) for way in said for each in denied)


def denied_by(condition: str) -> frozenset[str]:
    """Return the conditions that hold together where one does not: `a` and `b` of `not (a and b)`."""
    return frozenset(opposite(condition).split(" and ") if condition.startswith("not (") else (opposite(condition),))


def opposite(condition: str) -> str:
    """Return the words for the opposite of a condition."""
    if condition.startswith("not ("):
        return condition[len("not (") : -1]
    if " and " in condition or " or " in condition:
        return f"not ({condition})"
    for one, other in _OPPOSITES:
        if one in condition:
            return condition.replace(one, other)
    return condition.removeprefix("not ") if condition.startswith("not ") else f"not {condition}"


def but_for_training(conditions: tuple[str, ...]) -> tuple[str, ...]:
    """Return the conditions without those that say that this is training, which goes without saying in a step of it."""
    return tuple(each for each in conditions if not _says_training(each))


def _says_training(condition: str) -> bool:
    """Whether a condition in words holds in training: a flag of it, not one of evaluation, or any of several."""
    if condition.startswith("not ("):
        return any(_is_flag(opposite(each)) for each in condition[len("not (") : -1].split(" and "))
    return any(map(_is_flag, condition.split(" or ")))


def _is_flag(condition: str) -> bool:
    """Whether a condition in words is a flag of training, or not one of evaluation: `self.training`."""
    flag = condition.removeprefix("not ").rpartition(".")[2].lower()
    return (_EVALUATES if condition.startswith("not ") else _TRAINS).search(flag) is not None
