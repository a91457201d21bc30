"""What linking all files has read: which questions have led to which, down to what the index was asked."""

from __future__ import annotations

import sys
from array import array
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from ..index.reads import Compared, Fact, Reads, Subject, fact_of

_STRETCH: Final = 10_000
"""How many numbers are stored in one text."""


class Lists:
    """Lists of numbers, one after the other, as two arrays: how long they are, and what is in them."""

    def __init__(self, counts: Iterable[str] = (), numbers: Iterable[str] = ()) -> None:
        self._counts = _array(counts)
        self._numbers = _array(numbers)

    def add(self, numbers: Collection[int]) -> None:
        """Add a list."""
        self._counts.append(len(numbers))
        self._numbers.extend(numbers)

    def __len__(self) -> int:
        return len(self._counts)

    def __iter__(self) -> Iterator[Sequence[int]]:
        first, numbers = 0, self._numbers
        for count in self._counts:
            yield numbers[first : first + count]
            first += count

    def texts(self) -> tuple[list[str], list[str]]:
        """Return both arrays, each as texts of some length: a long one may need much memory."""
        return _texts(self._counts), _texts(self._numbers)


def _array(texts: Iterable[str]) -> array[int]:
    found = array("I")
    for text in texts:
        found.frombytes(b64decode(text))
    if sys.byteorder == "big":
        found.byteswap()
    return found


def _texts(numbers: array[int]) -> list[str]:
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return [b64encode(numbers[at : at + _STRETCH]).decode() for at in range(0, len(numbers), _STRETCH)]


class Graph(NamedTuple):
    """What was asked of the index, by kind, and what each question has read of that and of questions before it.

    All are numbered in that order. Questions that have read nothing are left out, and so are those that have read one
    thing only, which counts instead of them, unless their answers are kept. `names` are the files, `files` what linking
    each has read.
    """

    facts: dict[str, list[Subject]]
    questions: Lists
    names: list[str]
    files: Lists

    @classmethod
    def of(cls, reads: Reads) -> tuple[Graph, Sequence[int]]:
        """Return what was read, and for each number of a question there the one it has here; -1 if it is left out."""
        facts: dict[str, list[Subject]] = {}
        for _, (kind, *subject) in reads.facts:
            facts.setdefault(kind, []).append(subject[0] if len(subject) == 1 else tuple(subject))
        first, following = 0, {}
        for kind, subjects in facts.items():
            following[kind], first = first, first + len(subjects)
        known = [-1] * reads.many
        for number, (kind, *_) in reads.facts:
            known[number] = following[kind]
            following[kind] += 1
        questions = Lists()
        kept = {each.number for each in reads.answers}
        for number, read in reads.questions:
            if len(read) == 1 and number not in kept:
                known[number] = known[read[0]]
                continue
            found = {known[each] for each in read}
            found.discard(-1)
            if len(found) > 1 or (found and number in kept):
                known[number] = first + len(questions)
                questions.add(found)
            elif found:
                (known[number],) = found
        files = Lists()
        names = []
        for name, in_file in reads.files:
            files.add({known[each] for each in in_file} - {-1})
            names.append(name)
        return cls(facts, questions, names, files), known

    @classmethod
    def read(cls, stored: Sequence[Any]) -> Graph:
        """Return what was stored."""
        facts, *questions, names, counts, numbers = stored
        return cls(facts, Lists(*questions), names, Lists(counts, numbers))

    def stored(self) -> list[Any]:
        """Return this as JSON holds it."""
        return [self.facts, *self.questions.texts(), self.names, *self.files.texts()]

    def every_fact(self) -> Iterator[Fact]:
        """Yield all that was asked of the index, in order."""
        return (fact_of(kind, subject) for kind, subjects in self.facts.items() for subject in subjects)

    def differing(self, compared: Compared) -> Iterator[int]:
        """Yield the numbers of what is told differently."""
        first = 0
        for kind, subjects in self.facts.items():
            for at in compared.suspects(kind, subjects):
                if not compared.holds(fact_of(kind, subjects[at])):
                    yield first + at
            first += len(subjects)

    def outdated(self, stale: Collection[int], confirmed: Collection[int]) -> dict[int, Sequence[int]]:
        """Return what holds no more, and the questions but for those `confirmed` that have read it, with what each has.

        They are in an order in which who asks comes after what is asked.
        """
        found: dict[int, Sequence[int]] = dict.fromkeys(sorted(stale), ())
        known = found.keys()
        if found:
            for number, read in enumerate(self.questions, sum(map(len, self.facts.values()))):
                if not known.isdisjoint(read) and number not in confirmed:
                    found.setdefault(number, read)
        return found
