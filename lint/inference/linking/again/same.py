"""Whether two indexes of a project, before and after an edit, tell the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from typing import Any

from ....finding import Span
from ...values.union import Deferred
from ..index.noted_index import told_by
from ..index.reads import Compared, Fact, Subject
from ..index.stored_index import StoredIndex
from .differences import Differences
from .suspects import Suspects
from .touched import Touched
from .whence import BY_CALLS, calls_in, whence


class Same(Compared):
    """Compares what two indexes tell, wherever in a file that is.

    A question of one is a question of the other if the same is known about both and they are made of the same. Files
    that are in both, and not among those that have `changed`, are made of the same objects.
    """

    def __init__(self, before: StoredIndex, after: StoredIndex, changed: AbstractSet[str]) -> None:
        self._before = before
        self._after = after
        self._changed = frozenset(changed)
        names, touched = Differences(before, after, changed), Touched(before.rows, after.rows, changed)
        self._suspects = Suspects(before, after, names, touched)
        self._after_of: dict[Deferred, Deferred | None] = {}
        self._before_of: dict[Deferred, Deferred] = {}

    def suspects(self, kind: str, subjects: Sequence[Subject]) -> Iterable[int]:
        """Return which of the questions of a kind may have other answers, by their places."""
        return self._suspects.among(kind, subjects)

    def holds(self, fact: Fact) -> bool:
        """Whether both indexes tell the same, of what is a suspect."""
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
