"""Which names lead to something that an edit has defined otherwise, through what modules import and re-export."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import cached_property

from ....limits import MOST_IMPORTS
from ..index.named import STAR, is_within, ways
from ..index.stored_index import StoredIndex


class Astray:
    """Follows names in an index where some are `defined` otherwise than before, and some imported otherwise."""

    def __init__(self, index: StoredIndex, defined: AbstractSet[str], exports: AbstractSet[str]) -> None:
        self._index = index
        self._defined = defined
        self._exports = exports
        self._known: dict[str, bool] = {}

    def leads(self, name: str) -> bool:
        """Whether a name may stand for something that is defined otherwise."""
        if not name.startswith(self._beginnings):
            return False
        if (found := self._known.get(name)) is None:
            found = self._known[name] = self._leads_on(name, set()) is None
        return found

    def _leads_on(self, name: str, seen: set[str]) -> bool | None:
        """Return whether a name leads to something, as it does in both indexes; None if they may differ."""
        if name in self._defined:
            return None
        if self._index.has(name):
            return True
        if name in seen or len(seen) >= MOST_IMPORTS:
            return False
        seen.add(name)
        for head, tail, starred in ways(name, self._index.functions):
            if not self._exports.isdisjoint((head, starred)) or f"{head}:" in self._defined:
                return None
            if meant := self._index.exported(head):
                if is_within(name, head, meant):
                    return False
                return None if self._leads_on(f"{meant}{tail}", seen) is None else True
            for other in self._index.exported(starred).split():
                if (found := self._leads_on(f"{other}.{head.rpartition('.')[2]}{tail}", seen)) is not False:
                    return found
        return False

    @cached_property
    def _beginnings(self) -> tuple[str, ...]:
        """What all names begin with that lead astray, and maybe others."""
        found = beginnings_of(self._index, self._defined | self._exports)
        return tuple(name for name in sorted(found) if found.isdisjoint(_owners(name)))


def beginnings_of(index: StoredIndex, names: Iterable[str]) -> set[str]:
    """Return what all names begin with that lead to these: it is found out backwards, a name at a time."""
    todo = [name.removesuffix(":").removesuffix(STAR) for name in names]
    found = set(todo)
    while todo:
        new = {*_leading_to(index, todo.pop())} - found
        found |= new
        todo += new
    return found


def _leading_to(index: StoredIndex, name: str) -> Iterator[str]:
    """Yield beginnings of the names that are imported from where this one begins, or from what is in it."""
    for meant in _meant_in(index, name):
        yield from (head.removesuffix(STAR) for head in index.imports[meant])
    for owner in _owners(name):
        part = name[len(owner) + 1 :].partition(".")[0]
        yield from (f"{head.removesuffix(STAR)}.{part}" for head in index.imports.get(owner, ()))


def _meant_in(index: StoredIndex, name: str) -> Iterator[str]:
    """Yield what is imported of what a name stands for: itself, and what is in it."""
    if name in index.imports:
        yield name
    meant = index.imported
    first = bisect_left(meant, f"{name}.")
    while first < len(meant) and meant[first].startswith(f"{name}."):
        yield meant[first]
        first += 1


def _owners(name: str) -> Iterator[str]:
    while name := name.rpartition(".")[0]:
        yield name
