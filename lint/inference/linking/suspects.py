"""Which questions about an index an edit may have given other answers, judged by names.

Nearly all that files have read has nothing to do with an edit: most of it is ruled out many questions at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import chain
from typing import Final, TypeAlias

from .differences import Differences
from .named import root_of
from .reads import Fact, Subject, fact_of
from .stored_index import StoredIndex
from .touched import BY_CONTENT, Touched
from .whence import BY_CALLS

_Ruling: TypeAlias = "Callable[[Sequence[Subject]], Iterable[int]]"

_BY_EXPORTS: Final = ("canonical", "class_named", "constructed")
_BY_NAMES: Final = frozenset(
    [*_BY_EXPORTS, "called", "made", "kind", "library_base", "bases", "has_method", "is_defined", "is_test"]
)
"""Questions whose answers depend on nothing but what names stand for."""


class Suspects:
    """The questions whose answers may be others `after` an edit than `before`."""

    def __init__(self, before: StoredIndex, after: StoredIndex, names: Differences, touched: Touched) -> None:
        self._after = after
        self._names = names
        self._touched = touched
        self._chosen = before.all_chosen.keys() | after.all_chosen.keys()
        self._made_in_changed: dict[str, bool] = {}
        self._remaining: Mapping[str, _Ruling] = {
            **dict.fromkeys(_BY_EXPORTS, lambda subjects: self._others(subjects, self._kept)),
            "called": lambda subjects: self._others(subjects, self._kept_functions),
            "callable": self._callables,
            "method": self._methods,
            "chosen_as": lambda subjects: range(len(subjects) if self._chosen or names.unused else 0),
            "why_unused": lambda subjects: range(len(subjects) if names.unused else 0),
        }
        """Kinds of questions -> those which are not ruled out at a glance, by their places; of others all are left."""

    def among(self, kind: str, subjects: Sequence[Subject]) -> Iterable[int]:
        """Return which of the questions of a kind may have other answers, by their places."""
        if kind in _BY_NAMES and not self._names.are_any:
            return []
        remaining = self._remaining.get(kind)
        places = range(len(subjects)) if remaining is None else remaining(subjects)
        return [at for at in places if self._may_differ(fact_of(kind, subjects[at]))]

    def _may_differ(self, fact: Fact) -> bool:
        """Whether the answer may be another one."""
        kind, name, *_ = fact
        if kind in BY_CONTENT:
            return self._touched.concerns(fact)
        if kind == "chosen_as":
            return self._names.uses(name) or not self._chosen.isdisjoint((name, name.rpartition(".")[0]))
        if self._names.concern(fact):
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

    def _others(self, subjects: Sequence[Subject], kept: AbstractSet[str]) -> Iterable[int]:
        """Return which names are not among those that stand for what they did, nor of libraries."""
        names, roots = map(str, subjects), self._roots
        return [at for at, name in enumerate(names) if name not in kept and ("" in roots or root_of(name) in roots)]

    def _callables(self, subjects: Sequence[Subject]) -> Iterable[int]:
        """Return which names are not those of functions that are as they were."""
        kept = self._kept_functions - self._touched.functions
        return [at for at, name in enumerate(subjects) if name not in kept]

    def _methods(self, subjects: Sequence[Subject]) -> Iterable[int]:
        """Return which methods may be defined in files that have changed; if classes are defined otherwise, all."""
        if self._names.are_any:
            return range(len(subjects))
        names = {name.rpartition(".")[2] for name in self._touched.functions}
        return [at for at, (_, name) in enumerate(subjects) if name in names]

    @cached_property
    def _kept(self) -> AbstractSet[str]:
        """The names under which the same is defined as before."""
        return self._after.names - self._names.defined

    @cached_property
    def _kept_functions(self) -> AbstractSet[str]:
        return self._after.functions.keys() - self._names.defined

    @cached_property
    def _roots(self) -> frozenset[str]:
        """What names in the project begin with."""
        return self._after.roots.union(map(root_of, chain(self._names.defined, self._names.exports)))
