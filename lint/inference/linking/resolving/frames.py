"""The call whose result is being computed, and which answers hold in it alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from ....limits import DEEPEST_CALLS
from ...values.union import Deferred, Value
from ..index.answer import CUT, FAR, Answer, Answers, Naming, Owner
from .questions import Questions

A = TypeVar("A")
T = TypeVar("T")


class Frame(NamedTuple):
    """One call of a function: what its parameters are, the answers that hold for it, how many calls it is nested in."""

    function: str
    bindings: Mapping[Deferred, Value]
    answers: Answers
    depth: int


class Frames:
    """The answers to terms: those that hold everywhere, and those that hold in the call being computed."""

    def __init__(self, questions: Questions, about: Naming) -> None:
        self._questions = questions
        self._everywhere = questions.kept(about)
        self._frame: Frame | None = None

    @property
    def depth(self) -> int:
        """How many calls the question being answered is nested in."""
        return 0 if self._frame is None else self._frame.depth

    @property
    def is_full(self) -> bool:
        """Whether calls are nested too deeply for one more."""
        return self.depth >= DEEPEST_CALLS and DEEPEST_CALLS.met()

    def start_over(self) -> None:
        """Forget the call that is being computed: something has ended it."""
        self._frame = None

    def bound(self, parameter: Deferred) -> Value | None:
        """Return what the call being computed passes for a parameter, if it is one of its function."""
        return None if self._frame is None else self._frame.bindings.get(parameter)

    def known(self, term: Deferred) -> Answer | None:
        """Return the answer that was found before, if it holds for the call that is being computed."""
        if self._frame is None:
            return self._everywhere.get(term)
        if (answer := self._frame.answers.get(term)) is None:
            answer = self._everywhere.get(term)
            return answer if answer is not None and self._holds_everywhere(answer.owners) else None
        return answer

    def remember(self, term: Deferred, answer: Answer, again: Callable[[Deferred], object]) -> None:
        """Remember an answer: in the call being computed, or with those that hold everywhere."""
        general = self._holds_everywhere(answer.owners)
        answers = (
            self._everywhere if self._frame is None or (general and answer.reaches == FAR) else self._frame.answers
        )
        self._questions.remember(term, answer, answers, again if general else None)

    def is_general(self) -> bool:
        """Whether what has just been found out holds not only in the call being computed."""
        return self._holds_everywhere(self._questions.owners)

    def _holds_everywhere(self, owners: frozenset[Owner]) -> bool:
        return self._frame is None or (self._frame.function not in owners and CUT.isdisjoint(owners))

    def outside(self, find: Callable[[A], T], about: A) -> T:
        """Return what is found out about something independently of the call being computed: it is the same for all."""
        frame, self._frame = self._frame, None
        owners = self._questions.owners
        try:
            return find(about)
        finally:
            self._frame, self._questions.owners = frame, owners

    def result(self, function: str, bindings: Mapping[Deferred, Value], find: Callable[[], Value]) -> Answer:
        """Return what is found with the parameters of a function bound."""
        frame = self._frame
        self._frame = Frame(function, bindings, {}, self.depth + 1)
        try:
            return self._questions.apart(find)
        finally:
            self._frame = frame
