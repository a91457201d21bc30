"""Whether two indexes of a project, before and after an edit, tell the same."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Any

from ...finding import Span
from ..values.union import Deferred
from .noted_index import told_by
from .reads import Fact
from .rows import Row
from .stored_index import StoredIndex
from .touched import Touched
from .whence import BY_CALLS, BY_DEFINITION, BY_GIVEN, BY_NAME, calls_in, whence


class Same:
    """Compares what two indexes tell, wherever in a file that is.

    A question of one is a question of the other if the same is known about both and they are made of the same. Files
    that are in both, and not among those that have `changed`, are made of the same objects.
    """

    def __init__(self, before: StoredIndex, after: StoredIndex, changed: AbstractSet[str]) -> None:
        self._before = before
        self._after = after
        self._changed = frozenset(changed)
        self._defined_alike = _define_alike(before.rows, after.rows)
        self._alike = self._all_alike()
        self._chosen = before.chosen() | after.chosen()
        self._touched = Touched(before.rows, after.rows, changed)
        self._after_of: dict[Deferred, Deferred | None] = {}
        self._before_of: dict[Deferred, Deferred] = {}

    def _all_alike(self) -> frozenset[str]:
        """Return the kinds of questions that all have the same answers."""
        found = BY_NAME if self._defined_alike else frozenset[str]()
        if self._defined_alike and _bind_alike(self._before.rows, self._after.rows):
            found |= BY_GIVEN
        if self._before.unused == self._after.unused:
            found |= {"why_unused"}
        if self._before.inner == self._after.inner:
            found |= {"is_inner"}
        return found

    def holds(self, fact: Fact) -> bool:
        """Whether what was read is still told."""
        if fact[0] in self._alike or not self._touched.concerns(fact):
            return True
        if fact[0] == "chosen_as" and self._chosen.isdisjoint((fact[1], fact[1].rpartition(".")[0])):
            return self._before.computed_as(fact[1]) == self._after.computed_as(fact[1])
        if fact[0] == "are_calls_seen" and self._all_seen_alike and not self._touched.is_called(fact[1]):
            return True
        if fact[0] == "made_at" and self._all_made_alike and not self._is_made_in_changed(fact[1]):
            return True
        if fact[0] in BY_NAME:
            return bool(told_by(self._before, fact) == told_by(self._after, fact))
        new = whence(self._after, fact)
        old = new if self._defined_alike and fact[0] in BY_DEFINITION else whence(self._before, fact)
        if fact[0] in BY_CALLS:
            return old == new and all(self._same_calls(fact, each) for each in self._changed.intersection(old.files))
        if old == new and self._changed.isdisjoint(old.files):
            return True
        return bool(old.files or new.files) and self._same(told_by(self._before, fact), told_by(self._after, fact))

    @cached_property
    def _all_made_alike(self) -> bool:
        """Whether objects differ only in the calls that make them."""
        return self._defined_alike and "why_unused" in self._alike

    @cached_property
    def _all_seen_alike(self) -> bool:
        """Whether functions may be called by others as before."""
        return self._all_made_alike and "is_inner" in self._alike

    def _is_made_in_changed(self, cls: str) -> bool:
        names = (cls, *self._after.derived_from(cls))
        return any(self._touched.is_called(maker) for each in names if (maker := self._after.called(each)))

    def _same_calls(self, fact: Fact, filename: str) -> bool:
        old, new = (calls_in(index, fact, filename) for index in (self._before, self._after))
        return self._same(old, new)

    def _same(self, old: Any, new: Any) -> bool:
        if old is new:
            return True
        if type(old) is not type(new):
            return False
        match old:
            case Deferred():
                return self._same_question(old, new)
            case Span():
                return bool(old.filename == new.filename)
            case dict():
                return list(old) == list(new) and all(map(self._same, old.values(), new.values()))
            case tuple() | list():
                return len(old) == len(new) and all(map(self._same, old, new))
        if is_dataclass(old):
            return all(self._same(getattr(old, each.name), getattr(new, each.name)) for each in fields(old))
        return bool(old == new)

    def _same_question(self, old: Deferred, new: Deferred) -> bool:
        """Whether questions are the same: each is one of the other side, however often it occurs."""
        if old in self._after_of or new in self._before_of:
            return self._after_of.get(old) is new
        self._after_of[old] = None
        if not self._made_of_same(old, new):
            return False
        self._after_of[old], self._before_of[new] = new, old
        return True

    def _made_of_same(self, old: Deferred, new: Deferred) -> bool:
        return (
            self._known(self._before, old) == self._known(self._after, new)
            and (old.op, old.name, old.depth) == (new.op, new.name, new.depth)
            and self._same(old.operands, new.operands)
            and self._same(old.keywords, new.keywords)
            and self._same(self._parameter(self._before, old), self._parameter(self._after, new))
        )

    def _known(self, index: StoredIndex, question: Deferred) -> object:
        return index.evidence.get(question), question in index.on_host

    def _parameter(self, index: StoredIndex, question: Deferred) -> object:
        """Return what is known of the parameter that a question is about, but for who passes what."""
        if (known := index.parameters.get(question)) is None:
            return None
        function, name = known
        given = function.declared.get(name), function.defaults.get(name)
        return function.name, function.parameters, name, given


def _define_alike(before: Sequence[Row], after: Sequence[Row]) -> bool:
    """Whether there are the same files, which define the same by name."""
    pairs = zip(before, after)
    return len(before) == len(after) and all(old is new or old.definitions == new.definitions for old, new in pairs)


def _bind_alike(before: Sequence[Row], after: Sequence[Row]) -> bool:
    """Whether calls in the same files bind the same attributes."""
    pairs = [(old.direct.given, new.direct.given) for old, new in zip(before, after) if old is not new]
    return all([*map(list, old)] == [*map(list, new)] for old, new in pairs)
