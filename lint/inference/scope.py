"""Environments: what each name holds at a place of a function, with branches, loops and their joins. Knows no torch."""

from __future__ import annotations

from dataclasses import dataclass, field

from .values import Value, join

Names = dict[str, Value]


@dataclass(slots=True)
class Loop:
    """The environments that leave a loop's body early."""

    breaks: list[Names] = field(default_factory=list)
    continues: list[Names] = field(default_factory=list)


def merged(environments: list[Names]) -> Names | None:
    """The environment where several paths meet; None where none arrives."""
    if not environments:
        return None
    first, *rest = environments
    for other in rest:
        first = _merge(first, other)
    return first


def _merge(a: Names, b: Names) -> Names:
    if a is b:
        return a
    result = dict(a)
    for name, value in b.items():
        known = a.get(name)
        if known is None:
            result[name] = value
        elif known is not value:
            result[name] = join(known, value)
    return result


def grown(before: Names, after: Names) -> bool:
    """A name that was bound before a loop's body has another value after it: the body must be read again."""
    return any(after.get(name, value) != value for name, value in before.items() if after.get(name) is not value)


def forget(environment: Names, name: str) -> None:
    """Drop what is known of the attributes and items of a name that is bound anew."""
    stale = [key for key in environment if key.startswith(name) and key[len(name) : len(name) + 1] in (".", "[")]
    for key in stale:
        del environment[key]
