"""Which questions about an index an edit can have given other answers, by the names in the files that have changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from ..index.reads import Subject
from ..index.rows import Row

BY_VERY_NAME: Final = frozenset(["function", "constant", "alias"])
"""Questions about what is defined under that very name."""
BY_CONTENT: Final = BY_VERY_NAME | {"sites_of", "attributes"}
"""Questions whose answers depend on nothing but what is in the files that have something under that very name."""
INIT: Final = ".__init__"


class Touched:
    """What is defined, called and bound in some files, before or after an edit; what is in others stays as it is."""

    def __init__(self, before: Iterable[Row], after: Iterable[Row], changed: AbstractSet[str]) -> None:
        rows = [row for rows in (before, after) for row in rows if row.filename in changed]
        self._classes = frozenset(name for row in rows for name in row.classes)
        self._given = frozenset((cls, name) for row in rows for cls, name in row.direct.given)
        self._called = frozenset(name for row in rows for calls in row.calls for name in calls.sites)
        self._defined: Mapping[str, frozenset[str]] = {
            "function": frozenset(name for row in rows for name in row.functions),
            "constant": frozenset(name for row in rows for name in row.constants),
            "alias": frozenset(name for row in rows for name in row.aliases),
        }
        self._named = frozenset(name for row in rows for calls in row.calls for name in calls.named)

    def is_called(self, function: str) -> bool:
        """Whether the files call a function, by what it is or by its name."""
        return function in self._called or function.rpartition(".")[2] in self._named

    @property
    def functions(self) -> frozenset[str]:
        """The functions that the files define."""
        return self._defined["function"]

    def defines(self, function: str | None) -> bool:
        """Whether the files define a function."""
        return function in self.functions

    @property
    def definitions(self) -> AbstractSet[str]:
        """The functions and classes that the files define."""
        return self.functions | self._classes

    def made(self) -> Iterator[str]:
        """Yield the classes that have a constructor which the files call."""
        return (name.removesuffix(INIT) for name in self._called if name.endswith(INIT))

    def among(self, kind: str, subjects: Sequence[Subject]) -> list[int]:
        """Return which questions about what is under that very name may have other answers, by their places."""
        if kind == "attributes":
            classes, given = self._classes, self._given
            return [at for at, each in enumerate(subjects) if each[0] in classes or tuple(each) in given]
        known = self._called if kind == "sites_of" else self._defined[kind]
        return [at for at, each in enumerate(subjects) if each in known]
