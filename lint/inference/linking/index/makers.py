"""What functions make, by name alone: objects of classes, and functions, also as parts of a tuple or a dict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ....limits import DEEPEST_MADE, MOST_MADE
from ...library.callbacks import MADE, maker_of, part_name
from ...notes.summary import FunctionSummary
from ...values.union import Function, Instance, Sequence, Value, options_of


def makers_in(functions: Mapping[str, FunctionSummary]) -> dict[str, list[str]]:
    """Return what calls of these functions make, as far as it is known: see `Named.makers`."""
    found = (_made(name, options_of(each.returns), DEEPEST_MADE) for name, each in functions.items())
    return {maker: made for each in found for maker, made in each}


def function_of(maker: str) -> str:
    """Return the function that makes a thing, or a tuple or dict with it."""
    return maker.partition(".[")[0]


def made_first(maker: str, makers: Mapping[str, list[str]]) -> list[str]:
    """Return what a maker makes, or makers of that followed by `MADE`."""
    if (made := makers.get(maker)) is not None or not maker.endswith("]"):
        return made or []
    whole, _, part = maker.rpartition(".")
    others = (each.removesuffix(MADE) for each in made_first(whole, makers) if each.endswith(MADE))
    return [f"{each}.{part}{MADE}" for each in others]


def _made(maker: str, options: Iterable[Value], depth: int) -> Iterator[tuple[str, list[str]]]:
    """Yield a maker with the functions or classes that what it returns may be, or is made of; so its parts."""
    found: dict[str, None] = {}
    parts: dict[str, list[Value]] = {}
    for option in options:
        if isinstance(option, Sequence):
            for part, value in _parts(maker, option) if depth else ():
                parts.setdefault(part, []).extend(options_of(value))
        elif (made := _meant(option)) is not None:
            found[made] = None
    if found and not MOST_MADE.is_exceeded(len(found)):
        yield maker, [*found]
    for part, values in parts.items():
        yield from _made(part, values, depth - 1)


def _parts(maker: str, value: Sequence) -> Iterator[tuple[str, Value]]:
    """Yield the parts of a tuple, a list or a dict, each by its own name and by that of any."""
    keys = value.keys if value.kind == "dict" else range(len(value.items or ()))
    for key, part in zip(keys, value.items or ()):
        yield part_name(maker, key), part
        yield part_name(maker), part
    yield part_name(maker), value.element


def _meant(value: Value) -> str | None:
    match value:
        case Function(name, None):
            return name
        case Instance(cls):
            return cls
    maker = maker_of(value)
    return None if maker is None else f"{maker}{MADE}"
