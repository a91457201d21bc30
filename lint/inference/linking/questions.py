"""Questions that are being asked, those that depend on each other in a circle, and those that lead on and on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from ...bounds.stack import on_fresh_stack
from ..values.union import Deferred, Value

T = TypeVar("T")

CUT: Final = ""
"""Marks among owners a call nested too deeply in others to be evaluated."""
CIRCLE: Final = "()"
"""Marks among owners a question that was already being asked."""
UNFINISHED: Final = frozenset((CUT, CIRCLE))
NOBODY: Final[frozenset[str]] = frozenset()
FAR: Final = 1 << 30
"""Deeper than any question is asked."""
STRETCH: Final = 40
"""So many steps, from a value to those inside of it or to what a question leads to, fit on Python's stack for sure."""
MOST_STEPS: Final = 4_000
"""A question that is so many steps away from the first one is not asked: its answer is Unknown."""


class Answer(NamedTuple):
    """The answer to a question.

    `reaches` is the outermost question that it depends on and that was open then, by its depth, else FAR; `owners` are
    the functions whose parameters it depends on.
    """

    term: Deferred
    value: Value
    reaches: int
    owners: frozenset[str]


Answers = dict[int, Answer]
Open = tuple[int, dict[Any, Any], object]
"""The depth of a question, and where its answer is remembered, which depends on questions that are not answered yet."""


class Questions:
    """Which questions are being asked, and which of the answers found meanwhile are not final.

    `_asking` are the questions being asked, with their depths; `_open` are answers that depend on one of those;
    `_reaches` is the outermost of those that what was asked last depends on; `_steps` is how far the present question
    is away from the first one; `errors` are those of our own that were met.
    """

    def __init__(self) -> None:
        self._asking: dict[object, int] = {}
        self._open: list[Open] = []
        self._reaches = FAR
        self._steps = 0
        self.errors: list[Exception] = []

    def start_over(self) -> None:
        """Forget the questions that are being asked: something has ended them."""
        self._give_up(0)
        self._steps = 0

    def _one_step_on(self, answer: Callable[[], T], too_far: T) -> T:
        """Return the answer to what a question leads to, on a new stack if needed; `too_far` after too many steps."""
        if self._steps >= MOST_STEPS:
            return too_far
        self._steps += 1
        try:
            return on_fresh_stack(answer) if self._steps % STRETCH == 0 else answer()
        finally:
            self._steps -= 1

    def _once(self, key: object, answer: Callable[[], Value], in_circle: Value) -> Value:
        """Return the answer to a question, or the fallback if it leads to the same question again."""
        if self._depends_on(key):
            return in_circle
        _, outer = self._ask(key)
        try:
            return answer()
        finally:
            self._done(key, outer)

    def _give_up(self, depth: int) -> None:
        """Forget the questions deeper than this, which an error has ended, and the answers that depend on them."""
        while len(self._asking) > depth:
            self._asking.popitem()
        self._forget_open(depth - 1)
        self._reaches = FAR

    def _depends_on(self, key: object) -> bool:
        """Whether the question is already being asked, so that what is being answered depends on it."""
        asked = self._asking.get(key)
        self._reaches = self._reaches if asked is None else min(self._reaches, asked)
        return asked is not None

    def _ask(self, key: object) -> tuple[int, int]:
        """Begin a question; return its depth, and the outermost question that its surroundings depend on."""
        depth = self._asking[key] = len(self._asking)
        outer, self._reaches = self._reaches, FAR
        return depth, outer

    def _done(self, key: object, outer: int) -> int:
        """End a question; return the outermost open question that its answer depends on, else FAR."""
        depth = self._asking.pop(key)
        if self._reaches >= depth:
            self._forget_open(depth)
            self._reaches = FAR
        reaches = self._reaches
        self._reaches = min(outer, reaches)
        return reaches

    def _forget_open(self, depth: int) -> None:
        """Drop the answers found while the question at this depth was being asked."""
        while self._open and self._open[-1][0] > depth:
            _, answers, key = self._open.pop()
            answers.pop(key, None)
