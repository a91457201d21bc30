"""What loops that call a model go through: tokens, denoising steps, items of data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...facts import naming
from ...regex import regex
from .gates import last_name

_EACH = tuple((regex(text), what) for text, what in naming.EACH.items())
_COLLECTOR = regex(naming.COLLECTORS)


def each_of(iterable: ast.expr) -> str:
    """Return what a loop does its work for, by the names in what it iterates over; empty if they do not tell."""
    names = [name.lower() for name in _names(iterable)]
    return next((what for pattern, what in _EACH if any(map(pattern.search, names))), "")


def goes_through_collector(iterable: ast.expr) -> bool:
    """Whether a loop goes through what a collector of experience yields."""
    return any(_COLLECTOR.search(name.lower()) for name in _names(iterable))


def _names(node: ast.expr) -> Iterator[str]:
    """Yield the names that an iterable is made from: `files` of `enumerate(tqdm(self.files[1:]))`."""
    yield last_name(node)
    match node:
        case ast.Call(args=given):
            for each in given:
                yield from _names(each)
        case ast.BinOp(left=left, right=right):
            yield from _names(left)
            yield from _names(right)
