"""What linking has read of the index: for each question, what it asked and the questions that it led to."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Collection, Iterable, Iterator, MutableSequence, Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

Fact: TypeAlias = Sequence[str]
"""A question about the index: the name of its method, and what that is given."""
Subject: TypeAlias = "str | Sequence[str]"
"""What a question is about, apart from its kind: a name, or several."""


KNOWN: Final = "known"
"""The kind of what is no question about the index, but one that an earlier run has answered; see `graph`."""
NOTHING: Final = 0
"""The number of all questions that have read nothing."""
_ALONE: Final = 2
"""How long a question about one thing is, with its kind."""


class Compared(Protocol):
    """Two indexes that are compared."""

    def suspects(self, kind: str, subjects: Sequence[Subject]) -> Iterable[int]:
        """Return which of the questions of a kind may have other answers, by their places."""

    def holds(self, fact: Fact) -> bool:
        """Whether the answer to one of these questions is the same."""


class ReadBy(NamedTuple):
    """What files have read.

    `facts` are by kind what the questions are about, and the numbers of their groups: what is in a group has been read
    by the same files. `files` are the numbers of the groups that each file has read.
    """

    facts: dict[str, tuple[list[Subject], list[int]]]
    files: dict[str, list[int]]

    def with_later(self, later: ReadBy, names: Collection[str]) -> ReadBy:
        """Return what the files by these names have read, given what some of them have read later."""
        kept = {name: groups for name, groups in self.files.items() if name in names and name not in later.files}
        used = {group for groups in kept.values() for group in groups}
        first = max(used, default=-1) + 1
        facts = {kind: _among(*columns, used) for kind, columns in self.facts.items()}
        for kind, (subjects, groups) in later.facts.items():
            known = facts.setdefault(kind, ([], []))
            known[0].extend(subjects)
            known[1].extend(first + group for group in groups)
        more = {name: [first + group for group in groups] for name, groups in later.files.items()}
        return ReadBy({kind: columns for kind, columns in facts.items() if columns[0]}, {**kept, **more})

    def only(self, names: Collection[str]) -> ReadBy:
        """Return what these files have read."""
        return self.with_later(ReadBy({}, {}), names)

    def readers(self, compared: Compared) -> set[str]:
        """Return the files that have read what is told differently."""
        found: set[int] = set()
        for kind, (subjects, groups) in self.facts.items():
            for at in compared.suspects(kind, subjects):
                if groups[at] not in found and not compared.holds(fact_of(kind, subjects[at])):
                    found.add(groups[at])
        return {name for name, read in self.files.items() if not found.isdisjoint(read)} if found else set()


class Layers(NamedTuple):
    """What files have read at `first`, and what some of them have read `later` instead."""

    first: ReadBy
    later: ReadBy

    def with_later(self, later: ReadBy, names: Collection[str]) -> Layers:
        """Return what the files by these names have read, given what some of them have read later still."""
        return self._replace(later=self.later.with_later(later, names))

    def whole(self, names: Collection[str]) -> ReadBy:
        """Return what the files by these names have read, in one."""
        return self.first.with_later(self.later, names)

    def readers(self, compared: Compared) -> set[str]:
        """Return the files that have read what is told differently, and maybe some that are gone."""
        return self.first.readers(compared) - self.later.files.keys() | self.later.readers(compared)


def _among(subjects: list[Subject], groups: list[int], used: Collection[int]) -> tuple[list[Subject], list[int]]:
    """Return the facts of the groups that are used."""
    places = [at for at, group in enumerate(groups) if group in used]
    return [subjects[at] for at in places], [groups[at] for at in places]


def fact_of(kind: str, subject: Subject) -> Fact:
    """Return the question of a kind about something."""
    return (kind, subject) if isinstance(subject, str) else (kind, *subject)


class Kept(NamedTuple):
    """An answer for the next run: the function or class it is about, what was asked of that, and its number."""

    about: str
    what: str
    number: int
    value: Any


class Reads:
    """Notes what is read while questions are answered; facts and questions have numbers, `NOTHING` if nothing is read.

    `current` are the numbers of what the question being answered has read so far. What is read before the first file is
    read for all. What each number stands for has read is one list after the other: there are more than a million.
    """

    def __init__(self) -> None:
        self.current: MutableSequence[int] = []
        self._for_all: Sequence[int] = self.current
        self._facts: dict[int, Fact] = {}
        self._read = array("I")
        self._ends = array("I", (0,))
        self._of_files: dict[str, MutableSequence[int]] = {}
        self.answers: list[Kept] = []

    def fact(self, fact: Fact) -> int:
        """Return the number of a new fact."""
        number = len(self._ends)
        self._facts[number] = fact
        self._ends.append(len(self._read))
        return number

    def question(self, read: Iterable[int]) -> int:
        """Return the number of a question that is answered already, and has read this."""
        before = len(self._read)
        self._read.extend(read)
        if len(self._read) == before:
            return NOTHING
        self._ends.append(len(self._read))
        return len(self._ends) - 1

    def keep(self, answers: Iterable[Kept]) -> None:
        """Keep the answers that the next run may need."""
        self.answers = [*answers]

    def let_go(self) -> None:
        """Forget everything but the answers, so that its memory is free at once."""
        del self._read[:], self._ends[1:]
        self._facts.clear()
        self._of_files.clear()

    @property
    def many(self) -> int:
        """How many numbers there are."""
        return len(self._ends)

    @property
    def facts(self) -> Iterable[tuple[int, Fact]]:
        """The facts with their numbers."""
        return self._facts.items()

    @property
    def questions(self) -> Iterator[tuple[int, Sequence[int]]]:
        """The numbers of questions with those of what each has read; who asks comes after what is asked."""
        first = 0
        for number, end in enumerate(self._ends):
            if end > first:
                yield number, self._read[first:end]
            first = end

    @property
    def files(self) -> Iterator[tuple[str, Iterable[int]]]:
        """The files with the numbers of what each has read."""
        return ((name, (*read, *self._for_all)) for name, read in self._of_files.items())

    def begin_file(self, name: str) -> None:
        """Note what is read from now on as what linking a file needs."""
        self.current = self._of_files.setdefault(name, [])

    def end_file(self) -> None:
        """Keep what was read for a file, each once."""
        self.current[:] = dict.fromkeys(self.current)

    def begin(self) -> MutableSequence[int]:
        """Note what is read from now on as what a new question needs; return what the outer one has read."""
        outer, self.current = self.current, []
        return outer

    def end(self, outer: MutableSequence[int]) -> int:
        """Go on with the outer question, and return the number of the one that has been answered."""
        read, self.current = self.current, outer
        if not read:
            return NOTHING
        number = self.question(read if len(read) == 1 else {*read})
        outer.append(number)
        return number

    def by_file(self) -> ReadBy:
        """Return the facts that linking each file has read, directly or through questions."""
        names = list(self._of_files)
        readers = self._readers(names)
        groups: dict[int, int] = {}
        facts: dict[str, tuple[list[Subject], list[int]]] = {}
        for number, fact in self._facts.items():
            if (known := facts.get(fact[0])) is None:
                known = facts[fact[0]] = [], []
            known[0].append(fact[1] if len(fact) == _ALONE else fact[1:])
            known[1].append(groups.setdefault(readers[number], len(groups)))
        files: dict[str, list[int]] = {name: [] for name in names}
        for at, bits in enumerate(groups):
            while bits:
                first = bits & -bits
                files[names[first.bit_length() - 1]].append(at)
                bits ^= first
        return ReadBy(facts, files)

    def _readers(self, names: list[str]) -> list[int]:
        """Return for each fact the files that have read it, as bits of a number; those of questions are dropped."""
        readers = [0] * len(self._ends)
        for at, name in enumerate(names):
            for number in (*self._of_files[name], *self._for_all):
                readers[number] |= 1 << at
        ends = self._ends
        for number in range(len(ends) - 1, 0, -1):  # who asks comes before what is asked
            if ends[number] > ends[number - 1]:
                files, readers[number] = readers[number], 0
                for read in self._read[ends[number - 1] : ends[number]] if files else ():
                    known = readers[read]
                    readers[read] = known | files if known else files  # a sum is as long as there are files
        return readers


class Unnoted(Reads):
    """Notes nothing, for runs of which nothing is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.current = deque(maxlen=0)

    def fact(self, fact: Fact) -> int:
        """Return a number that stands for any fact."""
        return NOTHING

    def begin_file(self, name: str) -> None:
        """Note nothing."""

    def end_file(self) -> None:
        """Note nothing."""

    def keep(self, answers: Iterable[Kept]) -> None:
        """Keep nothing."""

    def begin(self) -> MutableSequence[int]:
        """Note nothing."""
        return self.current

    def end(self, outer: MutableSequence[int]) -> int:
        """Return a number that stands for any question."""
        return NOTHING
