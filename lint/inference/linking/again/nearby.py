"""Which names may have to do with what some files define: all others are ruled out at a glance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from ....limits import MOST_MAKERS
from ...library.callbacks import MADE
from ..index.reads import Subject
from ..index.stored_index import StoredIndex
from .astray import beginnings_of


class Nearby:
    """What is defined by such `names`, before or after an edit, what is derived from that or makes it, and `others`.

    Names are nearby if they, or beginnings of them, may stand for one of these, through whatever modules import.
    """

    def __init__(
        self,
        before: StoredIndex,
        after: StoredIndex,
        names: AbstractSet[str],
        others: AbstractSet[str] = frozenset(),
    ) -> None:
        derived = (index.derived_from(each) for index in (before, after) for each in names)
        self.names: frozenset[str] = frozenset(names).union(others, *derived)
        self._beginnings = beginnings_of(after, self.names)
        self._owners: dict[str, bool] = {"": False}
        for _ in range(MOST_MAKERS):
            makers = {
                each
                for each, made in after.makers.items()
                if each not in self._beginnings and any(map(self._has, made))
            }
            if not makers:
                break
            self._beginnings |= beginnings_of(after, makers)
            self._owners = {"": False}

    def among(self, subjects: Iterable[Subject]) -> Iterator[int]:
        """Yield the places of what has to do with these; an attribute may be what a module imports."""
        names = (each if isinstance(each, str) else ".".join(each) for each in subjects)
        return (at for at, name in enumerate(names) if self._has(name))

    def _has(self, name: str) -> bool:
        if MADE in name or name.endswith(":"):
            name = name.replace(MADE, "").removesuffix(":")
        owner = name.rpartition(".")[0]
        if (known := self._owners.get(owner)) is None:
            known = self._owners[owner] = self._has(owner)
        return known or name in self._beginnings
