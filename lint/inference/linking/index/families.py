"""Which classes an object may be of at the same time, so that what one asks its objects for may be of another."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .project_index import ProjectIndex


class Families:
    """The classes of a project, by what they are derived from."""

    def __init__(self, index: ProjectIndex) -> None:
        self._index = index
        self._unclear: dict[str, bool] = {}
        self._with: dict[str, frozenset[str]] = {}

    def may_share(self, cls: str, other: str) -> bool:
        """Whether an object may be of both classes, as far as is known what they are derived from."""
        if cls == other or cls not in self._index.classes:
            return True
        if any(map(self._is_unclear, (cls, other, *self._index.derived_from(cls)))):
            return True
        return other in self._shared(cls)

    def _shared(self, cls: str) -> frozenset[str]:
        """Return the classes that objects of a class may be of: its bases, what derives from it, and their bases."""
        if (found := self._with.get(cls)) is None:
            bases = self._index.inheritance.bases
            found = frozenset(base for each in (cls, *self._index.derived_from(cls)) for base in (each, *bases(each)))
            self._with[cls] = found
        return found

    def _is_unclear(self, cls: str) -> bool:
        """Whether a class may be derived from one of the project's that is not found, or has what others have."""
        if (found := self._unclear.get(cls)) is None:
            classes = self._index.classes
            found = self._unclear[cls] = any(
                "__getattr__" in classes[each].methods if each in classes else each.rpartition(".")[2] in self._names
                for each in self._index.inheritance.bases(cls)
            )
        return found

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(each.rpartition(".")[2] for each in self._index.classes)
