"""Which questions about an index an edit can have given other answers, by the names in the files that have changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from .reads import Fact
from .rows import Row

BY_VERY_NAME: Final = frozenset(["function", "constant", "alias"])
"""Questions about what is defined under that very name."""
BY_CONTENT: Final = BY_VERY_NAME | {"sites_of", "attributes"}
"""Questions whose answers depend on nothing but what is in the files that have something under that very name."""


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
        self._concerns: Mapping[str, Callable[[Fact], bool]] = {
            **dict.fromkeys(BY_VERY_NAME, lambda fact: fact[1] in self._defined[fact[0]]),
            "sites_of": lambda fact: fact[1] in self._called,
            "attributes": lambda fact: fact[1] in self._classes or (fact[1], fact[2]) in self._given,
        }

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

    def concerns(self, fact: Fact) -> bool:
        """Whether the answer may be another one."""
        return self._concerns[fact[0]](fact)
