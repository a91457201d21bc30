"""What linking all files has read, and what has become of that since."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, MutableMapping, Sequence
from typing import Final, NamedTuple

from ..index.reads import KNOWN, NOTHING, Compared, Fact, Kept, ReadBy, Reads, Subject, fact_of
from .graph import Graph

QUESTION: Final = "?"
"""What the number of a question begins with where it stands among files."""


class Trace(NamedTuple):
    """What linking all files has read at `first`, and what some of them have read `later` instead.

    `stale` are the numbers of what is otherwise since, `confirmed` the questions that have been asked again since and
    have the same answers, with what they have read then.
    """

    first: Graph
    later: ReadBy
    confirmed: ReadBy
    stale: frozenset[int]

    def after(self, compared: Compared) -> tuple[Trace, dict[int, Sequence[int]]]:
        """Return this after an edit, and the numbers of what may hold no more, with what each has read."""
        stale = self.stale.union(self.first.differing(compared))
        names = set(self.confirmed.files)
        while True:
            numbers = {int(name.removeprefix(QUESTION)) for name in names}
            outdated = self.first.outdated(stale, numbers)
            lost = names & self.confirmed.readers(_Since(compared, outdated))
            if not lost:
                return self._replace(stale=stale, confirmed=self.confirmed.only(names)), outdated
            names -= lost

    def readers(self, compared: Compared, outdated: Collection[int]) -> set[str]:
        """Return the files that have read what is told differently, and maybe some that are gone."""
        known = set(outdated)
        first = {name for name, read in zip(self.first.names, self.first.files) if not known.isdisjoint(read)}
        return first - self.later.files.keys() | self.later.readers(_Since(compared, known))

    def with_later(self, later: ReadBy, names: Collection[str], outdated: Collection[int]) -> Trace:
        """Return what the files by these names have read, given what some have read later still; so for questions."""
        asked = {name for name in later.files if name.startswith(QUESTION)}
        confirmed = {name for name in asked if int(name.removeprefix(QUESTION)) not in outdated}
        return self._replace(
            later=self.later.with_later(later.only(later.files.keys() - asked), names),
            confirmed=self.confirmed.with_later(later.only(confirmed), {*self.confirmed.files, *confirmed}),
            stale=self.stale | {int(name.removeprefix(QUESTION)) for name in asked - confirmed},
        )

    def whole(self, names: Collection[str], answers: Iterable[Kept]) -> tuple[Graph, list[Kept]]:
        """Return what the files by these names have read, in one, and answers with the numbers that they have there."""
        merging = _Merging(self)
        merging.keep(answers)
        for name, read in zip(self.first.names, self.first.files):
            if name in names and name not in self.later.files:
                merging.add(name, read)
        for name in self.later.files.keys() & names:
            merging.add(name, *merging.later.get(name, ()))
        graph, numbers = Graph.of(merging.reads)
        return graph, [each._replace(number=numbers[each.number]) for each in merging.reads.answers]


class _Merging:
    """Notes what a trace tells as what is read in one run."""

    def __init__(self, trace: Trace) -> None:
        self.reads = Reads()
        self._numbers = {at: self.reads.fact(fact) for at, fact in enumerate(trace.first.every_fact())}
        first = len(self._numbers)
        self._asked: dict[int, tuple[Sequence[int], Sequence[int]]] = {
            first + at: (read, ()) for at, read in enumerate(trace.first.questions)
        }
        self.later = self._read_later(trace.later)
        for name, read in self._read_later(trace.confirmed).items():
            self._asked[int(name.removeprefix(QUESTION))] = read

    def _read_later(self, later: ReadBy) -> dict[str, tuple[list[int], list[int]]]:
        """Return what files have read: the numbers that it has in the trace, and those of what is new."""
        groups: dict[int, tuple[list[int], list[int]]] = {}
        for kind, (subjects, of) in later.facts.items():
            for subject, group in zip(subjects, of):
                old, new = groups.setdefault(group, ([], []))
                if kind == KNOWN:
                    old.append(int(str(subject)))
                else:
                    new.append(self.reads.fact(fact_of(kind, subject)))
        nothing: tuple[list[int], list[int]] = ([], [])
        read = {name: [groups.get(group, nothing) for group in found] for name, found in later.files.items()}
        return {
            name: ([each for old, _ in found for each in old], [each for _, new in found for each in new])
            for name, found in read.items()
        }

    def add(self, name: str, old: Sequence[int], new: Sequence[int] = ()) -> None:
        """Add what a file has read."""
        self._number(old)
        self.reads.begin_file(name)
        self.reads.current.extend([*new, *(self._numbers[each] for each in old)])

    def keep(self, answers: Iterable[Kept]) -> None:
        """Keep answers, and what they depend on."""
        answers = [*answers]
        self._number([each.number for each in answers if each.number >= 0])
        self.reads.keep(each._replace(number=self._numbers.get(each.number, NOTHING)) for each in answers)

    def _number(self, wanted: Sequence[int]) -> None:
        """Number what was read, and before that what it has read."""
        todo = [*wanted]
        while todo:
            at = todo[-1]
            old, new = self._asked.get(at, ((), ()))
            if at not in self._numbers and (missing := [each for each in old if each not in self._numbers]):
                todo += missing
                continue
            if at not in self._numbers:
                self._numbers[at] = self.reads.question([*new, *(self._numbers[each] for each in old)])
            todo.pop()


class _Since(Compared):
    """Compares two indexes; of what an earlier run knew, what is outdated has other answers."""

    def __init__(self, compared: Compared, outdated: Container[int]) -> None:
        self._compared = compared
        self._outdated = outdated

    def suspects(self, kind: str, subjects: Sequence[Subject]) -> Sequence[int]:
        """Return which of the questions of a kind may have other answers, by their places."""
        if kind == KNOWN:
            return [at for at, number in enumerate(subjects) if int(str(number)) in self._outdated]
        return [*self._compared.suspects(kind, subjects)]

    def holds(self, fact: Fact) -> bool:
        """Whether the answer to one of these questions is the same."""
        return fact[0] != KNOWN and self._compared.holds(fact)


def confirm(
    outdated: MutableMapping[int, Sequence[int]],
    stale: Collection[int],
    asked: Container[int],
    again: Callable[[int], bool],
) -> None:
    """Take out what holds: what has read nothing that is otherwise, and what has the same answer if asked `again`."""
    lost = set(stale)
    for number, read in [*outdated.items()]:
        if number in lost:
            continue
        if lost.isdisjoint(read) or (number in asked and again(number)):
            del outdated[number]
        else:
            lost.add(number)
