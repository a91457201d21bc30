"""Tuples whose items have names: what calling `namedtuple(…)` defines, and what calling that makes."""

from __future__ import annotations

from ..values.arguments import Keywords
from ..values.joining import join_all
from ..values.union import UNKNOWN, Host, Sequence, Value

MAKER = "collections.namedtuple"
"""The base of classes that are made of their fields' names."""


def field_names(given: Value) -> tuple[str, ...]:
    """Return the fields that the second argument of `namedtuple` names; none if it is not written out."""
    match given:
        case Host("str", str() as names):
            return tuple(names.replace(",", " ").split())
        case Sequence("list" | "tuple", tuple(items)):
            found = [each.constant for each in items if isinstance(each, Host) and isinstance(each.constant, str)]
            return tuple(found) if len(found) == len(items) else ()
    return ()


def filled(fields: tuple[str, ...], positional: tuple[Value, ...], keywords: Keywords, spread: bool = False) -> Value:
    """Return the tuple that a call makes; `spread`: some of the arguments are unpacked, and may be any of its items."""
    if spread:
        return Sequence("tuple", (join_all(positional),) * len(fields), keys=fields)
    given = dict(keywords) | dict(zip(fields, positional))
    return Sequence("tuple", tuple(given.get(each, UNKNOWN) for each in fields), keys=fields)


def item(value: Sequence, name: str) -> Value | None:
    """Return the item with that name; None if the tuple has no such name."""
    if value.kind != "tuple" or value.items is None or name not in value.keys:
        return None
    return value.items[value.keys.index(name)]


def replaced(value: Sequence, keywords: Keywords) -> Value:
    """Return what `_replace` makes of a tuple."""
    new = dict(keywords)
    kept = zip(value.keys, value.items or ())
    return Sequence("tuple", tuple(new.get(str(name), each) for name, each in kept), keys=value.keys)
