"""The classes of a program: what each inherits, however bases lead on, meet again or run in circles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from ...facts.libraries import KINDS, ROOTS, class_kind
from ...facts.typing_names import NO_PARENTS
from ...limits import MOST_BASES


class Defined(Protocol):
    """A class that a program defines, by the full names of its bases and the names of its methods."""

    @property
    def bases(self) -> tuple[str, ...]: ...

    @property
    def methods(self) -> frozenset[str]: ...


class Inheritance:
    """The classes that a program defines; `called` is the name under which a class is defined."""

    def __init__(self, defined: Mapping[str, Defined], called: Callable[[str], str] = str) -> None:
        self._defined = defined
        self._called = called
        self._bases: dict[str, tuple[str, ...]] = {}
        self._kinds: dict[str, str | None] = {}

    def forget(self) -> None:
        """Forget what was found out: one more class is defined."""
        self._bases.clear()
        self._kinds.clear()

    def owns(self, cls: str) -> bool:
        """Whether the program defines the class."""
        return cls in self._defined or self._called(cls) in self._defined

    def bases(self, cls: str) -> tuple[str, ...]:
        """Return the class and its bases as far as they are known, nearest first."""
        if (found := self._bases.get(cls)) is None:
            found = self._bases[cls] = lineage(self._called(cls), self._bases_of)
        return found

    def _bases_of(self, cls: str) -> Iterable[str]:
        known = self._defined.get(cls)
        return () if known is None else map(self._called, known.bases)

    def kind(self, cls: str) -> str | None:
        """Return the kind of a class's instances: `module`, `metric` and so on."""
        if cls not in self._kinds:
            self._kinds[cls] = self._kind_of(cls)
        return self._kinds[cls]

    def _kind_of(self, cls: str) -> str | None:
        """Return the kind of the nearest base that has one; with a `forward` and an unknown base, a module.

        The program may be the library itself: of its own classes only those that are listed have a kind.
        """
        bases = self.bases(cls)
        kinds = (KINDS.get(each) if each in self._defined else class_kind(each) for each in bases)
        if (found := next(filter(None, kinds), None)) is not None:
            return found
        own = [self._defined[each] for each in bases if each in self._defined]
        return "module" if any("forward" in each.methods and self._derived_from_other(each) for each in own) else None

    def _derived_from_other(self, cls: Defined) -> bool:
        return any(base not in NO_PARENTS and self._called(base) not in self._defined for base in cls.bases)

    def library_base(self, cls: str) -> str:
        """Return the class or its nearest base that belongs to a library, before one that others there derive from."""
        found = [each for each in self.bases(cls) if each not in self._defined]
        return next((each for each in found if each not in ROOTS), found[0] if found else cls)

    def method(self, cls: str, name: str) -> str | None:
        """Return the full name of a method of a class, its own or inherited."""
        for each in self.bases(cls):
            known = self._defined.get(each)
            if known is not None and name in known.methods:
                return f"{each}.{name}"
        return None


def lineage(cls: str, bases_of: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """Return the class and all that it inherits from, each once, those of the first base before the second."""
    nearest: dict[str, int] = {}
    todo = [(cls, 0)]
    while todo:
        name, distance = todo.pop()
        if nearest.get(name, MOST_BASES + 1) > distance:
            nearest[name] = distance
            todo += [(base, distance + 1) for base in reversed([*bases_of(name)])]
        elif name not in nearest:
            MOST_BASES.met()
    return tuple(nearest)
