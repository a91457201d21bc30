"""The answers to questions that linking has found, kept for the next run: each is decoded when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ..finding import Span
from ..store.encoding import Store, StoreError
from .earlier import parts_of
from .told import data_classes

if TYPE_CHECKING:
    from ..inference.linking.index.reads import Kept


@cache
def answers_store() -> Store:
    """Return the store for answers: those with open questions in them are not kept, as nobody could tell which."""
    from .. import finding
    from ..inference.values import lattice, union

    classes = [each for module in (finding, lattice, union) for each in data_classes(module)]
    return Store([each for each in classes if each is not union.Deferred], [union.UNKNOWN])


def text_of(answers: Sequence[Kept], numbers: Sequence[int]) -> Iterator[str]:
    """Yield the parts of the text of answers; `numbers` are those that the questions have from now on."""
    table = answers_store().table()
    known: dict[str, dict[str, tuple[int, int]]] = {}
    for name, what, number, value in answers:
        try:
            known.setdefault(name, {})[what] = numbers[number], table.number(value)
        except StoreError:  # noqa: PERF203
            continue
    return parts_of([known, table.rows], apart=1)


class Stored:
    """The answers in a text, but for those to `outdated` questions, or with places in files that have `changed`."""

    def __init__(self, text: str, outdated: Collection[int], changed: Collection[str]) -> None:
        self._answers, self._rows = json.loads(text)
        self._outdated = outdated
        self._objects = answers_store().objects(self._rows, self._check)
        self._changed = changed

    def questions(self) -> dict[int, tuple[str, str]]:
        """Return the outdated questions, each by what it is about and what is asked of that."""
        return {
            number: (name, what)
            for name, known in self._answers.items()
            for what, (number, _) in known.items()
            if number in self._outdated
        }

    def kept(self) -> Iterator[Kept]:
        """Yield the answers that hold, with the places of their values in the table."""
        from ..inference.linking.index.reads import Kept

        for name, known in self._answers.items():
            for what, (number, at) in known.items():
                if self.answer(name, what) is not None:
                    yield Kept(name, what, number, at)

    def text(self, answers: Iterable[Kept]) -> Iterator[str]:
        """Yield the parts of the text of such answers, which may have other numbers."""
        known: dict[str, dict[str, tuple[int, int]]] = {}
        for name, what, number, at in answers:
            known.setdefault(name, {})[what] = number, at
        return parts_of([known, self._rows], apart=1)

    def answer(self, name: str, what: str) -> tuple[int, Any] | None:
        """Return the number of a question, -1 if it has read nothing, and its answer; None if that is not known."""
        number, _ = known = self._answers.get(name, {}).get(what, (0, -1))
        return None if number in self._outdated else self._read(*known)

    def was(self, name: str, what: str) -> tuple[int, Any] | None:
        """Return the number and the answer that a question had; None if the answer names places that have moved."""
        return self._read(*self._answers[name][what])

    def _read(self, number: int, at: int) -> tuple[int, Any] | None:
        try:
            return None if at < 0 else (number, self._objects[at])
        except StoreError:
            return None

    def _check(self, made: object) -> None:
        if type(made) is Span and made.filename in self._changed:
            raise StoreError("nobody knows where that is now")
