"""Whether two indexes of a project, before and after an edit, tell the same."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from typing import Any

from ...finding import Span
from ..values.union import Deferred
from .differences import Differences
from .noted_index import told_by
from .reads import Fact
from .stored_index import StoredIndex
from .touched import BY_CONTENT, Touched
from .whence import BY_CALLS, calls_in, whence


class Same:
    """Compares what two indexes tell, wherever in a file that is.

    A question of one is a question of the other if the same is known about both and they are made of the same. Files
    that are in both, and not among those that have `changed`, are made of the same objects.
    """

    def __init__(self, before: StoredIndex, after: StoredIndex, changed: AbstractSet[str]) -> None:
        self._before = before
        self._after = after
        self._changed = frozenset(changed)
        self._names = Differences(before, after, changed)
        self._chosen = before.all_chosen.keys() | after.all_chosen.keys()
        self._touched = Touched(before.rows, after.rows, changed)
        self._after_of: dict[Deferred, Deferred | None] = {}
        self._before_of: dict[Deferred, Deferred] = {}

    def holds(self, fact: Fact) -> bool:
        """Whether what was read is still told."""
        return not self._may_differ(fact) or self._is_told_alike(fact)

    def _may_differ(self, fact: Fact) -> bool:
        """Whether the answer may be another one, as far as names tell."""
        kind, name, *_ = fact
        if kind in BY_CONTENT:
            return self._touched.concerns(fact)
        if kind == "chosen_as":
            return self._names.uses(name) or not self._chosen.isdisjoint((name, name.rpartition(".")[0]))
        if self._names.concern(fact):
            return True
        if kind in ("callable", "method"):
            return not self._changed.isdisjoint(whence(self._after, fact).files)
        if kind == "made_at":
            return any(map(self._is_made_in_changed, (name, *self._after.derived_from(name))))
        return kind in BY_CALLS and self._touched.is_called(name)

    def _is_made_in_changed(self, cls: str) -> bool:
        return (maker := self._after.called(cls)) is not None and self._touched.is_called(maker)

    def _is_told_alike(self, fact: Fact) -> bool:
        """Whether both indexes tell the same."""
        old, new = whence(self._before, fact), whence(self._after, fact)
        if fact[0] in BY_CALLS:
            return old == new and all(self._same_calls(fact, each) for each in self._changed.intersection(old.files))
        if old == new and self._changed.isdisjoint(old.files):
            return True
        return bool(old.files or new.files) and self._same(told_by(self._before, fact), told_by(self._after, fact))

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
