"""Questions that are being asked, those that depend on each other in a circle, and those that lead on and on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import Any, Final, NamedTuple, TypeVar

from ....bounds.stack import is_shallow, on_fresh_stack
from ....limits import FURTHEST_QUESTION, MOST_SETTLED
from ...values.union import UNKNOWN, Value
from ..index.answer import FAR, NOBODY, Answer, Answers, Naming, Owner, Recall, Recalled, kept
from ..index.reads import NOTHING, Kept, Reads
from .identities import first_of

A = TypeVar("A")
T = TypeVar("T")


STRETCH: Final = 24
"""So many steps, from a value to those inside of it or to what a question leads to, fit on Python's stack for sure."""
UNANSWERED: Final[Value] = UNKNOWN
"""The answer to a question about a value if nothing else is known."""


class Waiting(NamedTuple):
    """An answer that depends on questions being asked: how many were then, and where it is remembered so far.

    `again` asks a question by itself; None if that is possible only in the call that is being computed.
    """

    depth: int
    answers: Answers
    key: Hashable
    again: Callable[[Any], object] | None


def _never() -> bool:
    return False


def _always() -> bool:
    return True


class Questions:
    """Which questions are being asked, what their answers depend on, and which answers found meanwhile are not final.

    Questions that lead to each other are a circle: what is answered first is answered without the others. So that an
    answer does not depend on what was asked first, the one with the least identity always is, then the next one.

    `_asking` are the questions being asked, with their depths; `_open` are answers that depend on one of those;
    `_reaches` and `owners` belong to the question being answered (see `Answer`); `_steps` is how far it is away from
    the first one, `_settled` how many were answered anew since that was asked; `errors` are those of our own. `reads`
    need not be told of circles: what leads to a question that is being asked is read by that one, and not remembered
    for others.
    """

    def __init__(self, reads: Reads, recall: Recall | None = None) -> None:
        self.reads = reads
        self._recall = recall
        self._asking: dict[Hashable, int] = {}
        self._open: list[Waiting] = []
        self._reaches = FAR
        self.owners = NOBODY
        self._steps = 0
        self._settled = 0
        self.errors: list[Exception] = []
        self._shared: dict[frozenset[Owner], frozenset[Owner]] = {}
        self._kept: list[tuple[Answers, Naming]] = []

    def kept(self, about: Naming) -> Answers:
        """Return a place for answers that hold until all questions have been asked, some also in other runs."""
        answers = Recalled(self._recall, self.reads, about) if self._recall else {}
        self._kept.append((answers, about))
        return answers

    def for_others(self) -> Iterator[Kept]:
        """Yield the answers that another run may need."""
        return (each for answers, about in self._kept for each in kept(answers, about))

    def let_go(self) -> None:
        """Forget all answers, so that their memory is free at once: who asks is part of a circle."""
        for answers, _ in self._kept:
            answers.clear()

    def remembered(self, key: Hashable, find: Callable[[A], T], about: A, answers: Answers, in_circle: T) -> T:
        """Return the answer to a question, asked once; `in_circle` if it leads to itself."""
        if (known := answers.get(key)) is not None:
            found: T = self.recalled(known)
        elif self.is_open(key):
            found = in_circle
        else:
            answer = self.ask(key, find, about, _always)
            self.remember(key, answer, answers, lambda key: self.remembered(key, find, about, answers, in_circle))
            found = answer.value
        return found

    def once(self, key: Hashable, find: Callable[[A], T], about: A, in_circle: T) -> T:
        """Return the answer to a question, which is not remembered; `in_circle` if it leads to itself."""
        value: T = in_circle if self.is_open(key) else self.ask(key, find, about).value
        return value

    def ask(self, key: Hashable, find: Callable[[A], T], about: A, is_general: Callable[[], bool] = _never) -> Answer:
        """Return what is found out about something, and what that depends on, as does what is being answered.

        `is_general`: whether what was found out holds wherever it is asked for.
        """
        reaches, owners = self._reaches, self.owners
        outer = self.reads.begin()
        asking = self._asking
        settled: set[Hashable] | None = None
        while True:
            depth = asking[key] = len(asking)
            self._reaches, self.owners = FAR, NOBODY
            found = find(about)
            del asking[key]
            if self._reaches < depth:
                break
            self._reaches = FAR
            if not self._open or self._open[-1].depth <= depth:
                break
            settled = settled or set()
            first = self._first_of_circle(key, depth, is_general, settled)
            if first is None or first.again is None or (self._settled == MOST_SETTLED and MOST_SETTLED.met()):
                break
            settled.add(first.key)
            self._settled += 1
            first.again(first.key)
        if not asking:
            self._settled = 0
        number = self.reads.end(outer)
        shared = self._shared.setdefault(self.owners, self.owners)  # many answers depend on the same few
        answer = Answer(found, self._reaches, shared, number)
        self._reaches = min(reaches, answer.reaches)
        self.owners = owners
        self.belongs_to(answer.owners)
        return answer

    def _first_of_circle(
        self, key: Hashable, depth: int, is_general: Callable[[], bool], settled: Collection[Hashable]
    ) -> Waiting | None:
        """Return the question that is to be answered before the one just answered, since that leads to itself."""
        circle = {each.key: each for each in self._forget_open(depth) if each.again is not None}
        waiting = [each for each in circle if each not in settled]
        if not waiting:
            return None
        first = first_of([key, *waiting] if is_general() else waiting)
        return circle.get(first) if first != key else None

    def apart(self, find: Callable[[], T]) -> Answer:
        """Return what is found out, and whose parameters it depends on, as does not what is being answered."""
        owners, self.owners = self.owners, NOBODY
        outer = self.reads.begin()
        try:
            found = find()
            return Answer(found, self._reaches, self.owners, self.reads.end(outer))
        finally:
            self.owners = owners

    def remember(
        self, key: Hashable, answer: Answer, answers: Answers, again: Callable[[Any], object] | None = None
    ) -> None:
        """Remember an answer; if it depends on a question that is being asked, until that one is answered."""
        answers[key] = answer
        if answer.reaches < FAR:
            self._open.append(Waiting(len(self._asking), answers, key, again))

    def recalled(self, answer: Answer) -> Any:
        """Return an answer found before: what is being answered depends on the same."""
        if answer.number != NOTHING:
            self.reads.current.append(answer.number)
        if answer.reaches < self._reaches:
            self._reaches = answer.reaches
        self.belongs_to(answer.owners)
        return answer.value

    def is_open(self, key: Hashable) -> bool:
        """Whether a question is already being asked, so that what is being answered depends on it."""
        if (asked := self._asking.get(key)) is None:
            return False
        self._reaches = min(self._reaches, asked)
        return True

    def belongs_to(self, owners: frozenset[Owner]) -> None:
        """Note that what is being answered depends on the parameters of these."""
        known = self.owners
        if owners is not known and not owners <= known:
            self.owners = owners if known <= owners else known | owners  # one that has a hash already, if possible

    def one_step_on(self, find: Callable[[A], T], about: A, too_far: T) -> T:
        """Return the answer to what a question leads to, on a new stack if needed; `too_far` after too many steps."""
        if self._steps >= FURTHEST_QUESTION and FURTHEST_QUESTION.met():
            return too_far
        self._steps += 1
        try:
            if self._steps % STRETCH or is_shallow():  # a thread costs more than to count calls
                return find(about)
            return on_fresh_stack(lambda: find(about))
        finally:
            self._steps -= 1

    def begin(self) -> None:
        """Begin with something else: whose parameters what was asked before depends on does not matter any more."""
        self.owners = NOBODY

    def failed(self, key: Hashable, error: Exception) -> None:
        """Note an error of our own, which costs the answer to a question that is being asked, and no other."""
        self._give_up(self._asking[key] + 1)
        self.errors.append(error)

    def start_over(self) -> None:
        """Forget the questions that are being asked: something has ended them."""
        self._give_up(0)
        self._steps, self.owners = 0, NOBODY

    def _give_up(self, depth: int) -> None:
        """Forget the questions deeper than this, which an error has ended, and the answers that depend on them."""
        while len(self._asking) > depth:
            self._asking.popitem()
        self._forget_open(depth - 1)
        self._reaches = FAR

    def _forget_open(self, depth: int) -> list[Waiting]:
        """Drop the answers found while the question at this depth was being asked, and return them."""
        forgotten = []
        while self._open and self._open[-1].depth > depth:
            forgotten.append(self._open.pop())
            forgotten[-1].answers.pop(forgotten[-1].key, None)
        return forgotten
