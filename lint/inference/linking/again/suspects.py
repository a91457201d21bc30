"""Which questions about an index an edit may have given other answers, judged by names.

Nearly all that files have read has nothing to do with an edit: most of it is ruled out many questions at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Final

from ..index.reads import Fact, Subject, fact_of
from ..index.stored_index import StoredIndex
from .differences import Differences
from .nearby import Nearby
from .touched import BY_CONTENT, Touched
from .whence import BY_CALLS

_BY_NAMES: Final = frozenset(
    [
        *("canonical", "class_named", "constructed", "called", "made", "all_made", "bound_apart"),
        *("kind", "library_base", "bases", "has_method", "is_defined", "is_test"),
    ]
)
"""Questions whose answers depend on nothing but what names stand for."""
_BY_CLASSES: Final = frozenset(["methods", "derived_with", "is_called_by_base", "overriding", "derived_from"])
"""Questions whose answers depend on which classes are derived from which, too."""
_BY_FUNCTIONS: Final = frozenset(["callable", "method"])
"""Questions whose answers depend on what is in functions."""


class Suspects:
    """The questions whose answers may be others `after` an edit than `before`."""

    def __init__(self, before: StoredIndex, after: StoredIndex, names: Differences, touched: Touched) -> None:
        self._before = before
        self._after = after
        self._names = names
        self._touched = touched
        self._chosen = before.all_chosen.keys() | after.all_chosen.keys()
        self._made_in_changed: dict[str, bool] = {}

    def among(self, kind: str, subjects: Sequence[Subject]) -> Iterable[int]:
        """Return which of the questions of a kind may have other answers, by their places."""
        if kind in BY_CONTENT:
            return self._touched.among(kind, subjects)
        places = self._remaining(kind, subjects)
        return [at for at in places if self._may_differ(fact_of(kind, subjects[at]))]

    def _remaining(self, kind: str, subjects: Sequence[Subject]) -> Iterable[int]:
        """Return which questions of a kind are not ruled out at a glance, by their places."""
        names = self._names
        if kind in _BY_NAMES:
            return self._defined_otherwise.among(subjects) if names.are_any else ()
        if kind in _BY_FUNCTIONS or kind in _BY_CLASSES:
            are_any = names.are_any or names.derived_with or kind in _BY_FUNCTIONS
            return self._nearby.among(subjects) if are_any else ()
        if kind == "made_at" and not (names.unused or names.chosen or names.offered):
            made, shapes = self._made, self._after.shapes
            return [at for at, cls in enumerate(subjects) if cls in made or cls not in shapes]
        if kind == "chosen_as":
            return range(len(subjects) if self._chosen or names.unused else 0)
        return range(len(subjects) if kind != "why_unused" or names.unused else 0)

    def _may_differ(self, fact: Fact) -> bool:
        """Whether the answer may be another one."""
        kind, name, *_ = fact
        if kind == "chosen_as":
            return self._names.uses(name) or not self._chosen.isdisjoint((name, name.rpartition(".")[0]))
        if kind == "modules_with" or self._names.concern(fact):
            return True
        if kind == "callable":
            return self._touched.defines(self._after.called(name))
        if kind == "method":
            return self._touched.defines(self._after.inheritance.method(name, fact[2]))
        if kind == "made_at":
            return any(map(self._is_made_in_changed, (name, *self._after.derived_from(name))))
        return kind in BY_CALLS and self._touched.is_called(name)

    def _is_made_in_changed(self, cls: str) -> bool:
        if (known := self._made_in_changed.get(cls)) is None:
            maker = self._after.called(cls)
            known = self._made_in_changed[cls] = maker is not None and self._touched.is_called(maker)
        return known

    @cached_property
    def _defined_otherwise(self) -> Nearby:
        """What has to do with what is defined otherwise."""
        names = self._names
        return Nearby(self._before, self._after, names.defined | names.exports | names.descendants)

    @cached_property
    def _nearby(self) -> Nearby:
        """What has to do with that, or with what is in files that have changed, and the bases of all of this."""
        named = self._defined_otherwise.names | self._touched.definitions
        both = self._before, self._after
        bases = {base for index in both for cls in named & index.shapes.keys() for base in index.bases(cls)}
        return Nearby(*both, named, bases | self._names.derived_with)

    @cached_property
    def _made(self) -> AbstractSet[str]:
        """The classes of which files that have changed make objects, and all that may be asked about those."""
        derived = {each for cls in self._touched.made() for each in (cls, *self._after.derived_from(cls))}
        return {base for each in derived for base in self._after.bases(each)} | self._nearby.names
