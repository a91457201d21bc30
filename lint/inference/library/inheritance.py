"""The classes that a class inherits from, however their bases lead on, meet again or run in circles."""

from __future__ import annotations

from collections.abc import Callable, Iterable

MOST_BASES = 10
"""How long a chain of base classes is followed."""


def lineage(cls: str, bases_of: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """Return the class and all that it inherits from, each once, those of the first base before the second."""
    nearest: dict[str, int] = {}
    todo = [(cls, 0)]
    while todo:
        name, distance = todo.pop()
        if nearest.get(name, MOST_BASES + 1) > distance:
            nearest[name] = distance
            todo += [(base, distance + 1) for base in reversed([*bases_of(name)])]
    return tuple(nearest)
