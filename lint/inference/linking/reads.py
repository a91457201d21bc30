"""What linking has read of the index: for each question, what it asked and the questions that it led to."""

from __future__ import annotations

from typing import TypeAlias

Fact: TypeAlias = tuple[str, ...]
"""A question about the index: the name of its method, and what that is given."""


class Reads:
    """Notes what is read while questions are answered; facts and questions have numbers.

    `current` are the numbers of what the question being answered has read so far. What is read before the first file is
    read for all.
    """

    def __init__(self) -> None:
        self.current: list[int] = []
        self._for_all = self.current
        self._facts: dict[int, Fact] = {}
        self._of: list[list[int]] = []
        self._answered: list[int] = []
        self._of_files: dict[str, list[int]] = {}

    def fact(self, fact: Fact) -> int:
        """Return the number of a new fact."""
        number = len(self._of)
        self._facts[number] = fact
        self._of.append([])
        return number

    def begin_file(self, name: str) -> None:
        """Note what is read from now on as what linking a file needs."""
        self.current = self._of_files.setdefault(name, [])

    def begin(self) -> int:
        """Return the number of a new question, which is being answered from now on."""
        number = len(self._of)
        self.current.append(number)
        self.current = []
        self._of.append(self.current)
        return number

    def end(self, number: int, outer: list[int]) -> None:
        """Note that a question has been answered, and go on with the outer one."""
        self._answered.append(number)
        self.current = outer

    def by_file(self) -> dict[str, list[Fact]]:
        """Return the facts that linking each file has read, directly or through questions."""
        names = list(self._of_files)
        readers = self._readers(names)
        found: dict[str, list[Fact]] = {name: [] for name in names}
        for number, fact in self._facts.items():
            files = readers[number]
            while files:
                first = files & -files
                found[names[first.bit_length() - 1]].append(fact)
                files ^= first
        return found

    def _readers(self, names: list[str]) -> list[int]:
        """Return for each fact and question the files that have read it, as bits of a number."""
        readers = [0] * len(self._of)
        for at, name in enumerate(names):
            for number in (*self._of_files[name], *self._for_all):
                readers[number] |= 1 << at
        is_settled = False
        while not is_settled:
            is_settled = True
            for number in reversed(self._answered):  # but for circles, who asks comes before what is asked
                files = readers[number]
                for read in self._of[number] if files else ():
                    if readers[read] | files != readers[read]:
                        readers[read] |= files
                        is_settled = False
        return readers
