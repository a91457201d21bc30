"""What functions make, by name alone: objects of classes, and functions, also as parts of a tuple."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from ...library.callbacks import MADE, maker_of
from ...notes.summary import FunctionSummary
from ...values.union import Function, Instance, Sequence, Value, options_of


def makers_in(functions: Mapping[str, FunctionSummary]) -> dict[str, str]:
    """Return what calls of these functions make, as far as each makes only one thing: see `Named.makers`."""
    return {maker: made for name, each in functions.items() for maker, made in _made(name, options_of(each.returns))}


def function_of(maker: str) -> str:
    """Return the function that makes a thing, or a tuple with it."""
    while maker[maker.rfind(".") + 1 :].isdigit():
        maker = maker.rpartition(".")[0]
    return maker


def made_first(maker: str, makers: Mapping[str, str]) -> str:
    """Return what a maker makes, or a maker of that followed by `MADE`; empty if it is not known."""
    if (made := makers.get(maker)) is not None:
        return made
    whole, _, place = maker.rpartition(".")
    made = made_first(whole, makers) if place.isdigit() else ""
    return f"{made.removesuffix(MADE)}.{place}{MADE}" if made.endswith(MADE) else ""


def _made(maker: str, options: Iterable[Value]) -> Iterator[tuple[str, str]]:
    """Yield a maker with the function or class that what it returns is, or is made of; so the parts of tuples."""
    options = tuple(options)
    found = {made for each in options if (made := _meant(each)) is not None}
    if len(found) == 1:
        yield maker, found.pop()
    elif not found:
        tuples = [each.items or () for each in options if isinstance(each, Sequence) and each.kind == "tuple"]
        for at, parts in enumerate(zip(*tuples)):
            yield from _made(f"{maker}.{at}", chain.from_iterable(map(options_of, parts)))


def _meant(value: Value) -> str | None:
    match value:
        case Function(name, None):
            return name
        case Instance(cls):
            return cls
    maker = maker_of(value)
    return None if maker is None else f"{maker}{MADE}"
