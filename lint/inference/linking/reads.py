"""What linking has read of the index: for each question, what it asked and the questions that it led to."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, MutableSequence, Sequence
from typing import NamedTuple, TypeAlias

Fact: TypeAlias = Sequence[str]
"""A question about the index: the name of its method, and what that is given."""


class ReadBy(NamedTuple):
    """Facts, those in a group that the same files have read, and the numbers of the groups that each file has read."""

    groups: list[list[Fact]]
    files: dict[str, list[int]]

    def of(self, name: str) -> list[Fact]:
        """Return the facts that linking a file has read."""
        return [fact for number in self.files[name] for fact in self.groups[number]]

    def with_later(self, later: ReadBy, names: Collection[str]) -> ReadBy:
        """Return what the files by these names have read, given what some of them have read later."""
        kept = {name: groups for name, groups in self.files.items() if name in names and name not in later.files}
        used = {old: new for new, old in enumerate(sorted({group for groups in kept.values() for group in groups}))}
        files = {name: [used[group] for group in groups] for name, groups in kept.items()}
        more = {name: [len(used) + group for group in groups] for name, groups in later.files.items()}
        return ReadBy([*(self.groups[old] for old in used), *later.groups], {**files, **more})

    def only(self, names: Collection[str]) -> ReadBy:
        """Return what these files have read."""
        return self.with_later(ReadBy([], {}), names)

    def readers(self, concerns: Callable[[Fact], bool]) -> set[str]:
        """Return the files that have read a fact which this concerns."""
        groups = {number for number, group in enumerate(self.groups) if any(map(concerns, group))}
        return {name for name, read in self.files.items() if not groups.isdisjoint(read)}


class Reads:
    """Notes what is read while questions are answered; facts and questions have numbers.

    `current` are the numbers of what the question being answered has read so far. What is read before the first file is
    read for all.
    """

    def __init__(self) -> None:
        self.current: MutableSequence[int] = []
        self._for_all: Sequence[int] = self.current
        self._facts: dict[int, Fact] = {}
        self._of: list[Sequence[int]] = []
        self._answered: list[int] = []
        self._of_files: dict[str, MutableSequence[int]] = {}

    def fact(self, fact: Fact) -> int:
        """Return the number of a new fact."""
        number = len(self._of)
        self._facts[number] = fact
        self._of.append(())
        return number

    def begin_file(self, name: str) -> None:
        """Note what is read from now on as what linking a file needs."""
        self.current = self._of_files.setdefault(name, [])

    def end_file(self) -> None:
        """Keep what was read for a file, each once."""
        self.current[:] = dict.fromkeys(self.current)

    def begin(self) -> int:
        """Return the number of a new question, which is being answered from now on."""
        number = len(self._of)
        self.current.append(number)
        self.current = []
        self._of.append(self.current)
        return number

    def end(self, number: int, outer: MutableSequence[int]) -> None:
        """Note that a question has been answered, and go on with the outer one."""
        self._answered.append(number)
        self._of[number] = tuple(self.current)  # smaller than a list, and most have read nothing
        self.current = outer

    def by_file(self) -> ReadBy:
        """Return the facts that linking each file has read, directly or through questions."""
        names = list(self._of_files)
        readers = self._readers(names)
        groups: dict[int, list[Fact]] = {}
        for number, fact in self._facts.items():
            groups.setdefault(readers[number], []).append(fact)
        files: dict[str, list[int]] = {name: [] for name in names}
        for at, bits in enumerate(groups):
            while bits:
                first = bits & -bits
                files[names[first.bit_length() - 1]].append(at)
                bits ^= first
        return ReadBy(list(groups.values()), files)

    def _readers(self, names: list[str]) -> list[int]:
        """Return for each fact and question the files that have read it, as bits of a number."""
        readers = [0] * len(self._of)
        for at, name in enumerate(names):
            for number in (*self._of_files[name], *self._for_all):
                readers[number] |= 1 << at
        for number in reversed(self._answered):  # who asks comes before what is asked
            files = readers[number]
            for read in self._of[number] if files else ():
                readers[read] |= files
        return readers


class Unnoted(Reads):
    """Notes nothing, for runs of which nothing is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.current = deque(maxlen=0)

    def fact(self, fact: Fact) -> int:
        """Return a number that stands for any fact."""
        return 0

    def begin_file(self, name: str) -> None:
        """Note nothing."""

    def end_file(self) -> None:
        """Note nothing."""

    def begin(self) -> int:
        """Return a number that stands for any question."""
        return 0

    def end(self, number: int, outer: MutableSequence[int]) -> None:
        """Note nothing."""
