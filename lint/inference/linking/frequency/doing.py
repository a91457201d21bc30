"""Which functions do something whenever they run, themselves or by way of what they call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ...notes.summary import FunctionSummary
from ..index.answer import Answers
from ..index.noted_index import NotedIndex
from ..resolving.questions import Questions
from .run_by import all_run_by

Itself: TypeAlias = "Callable[[FunctionSummary], bool | None]"
"""Whether a function does it, judged by itself; None if only what it calls can tell."""


class Doing:
    """Follows the calls of functions to one that does something; `what` names it."""

    def __init__(
        self,
        index: NotedIndex,
        questions: Questions,
        what: str,
        itself: Itself,
        calls: Callable[[FunctionSummary], Sequence[str]],
    ) -> None:
        self._index = index
        self._questions = questions
        self._what = what
        self._itself = itself
        self._calls = calls
        self._known: Answers = {}

    def first(self, names: tuple[str, ...]) -> FunctionSummary | None:
        """Return the first of the functions by these names that does it; None if none does."""
        if not names:
            return None
        found: str = self._questions.remembered((self._what, names), self._find, names, self._known, in_circle="")
        return self._index.function(found) if found else None

    def _find(self, names: tuple[str, ...]) -> str:
        return next((each.name for each in all_run_by(names, self._index) if self.does(each)), "")

    def does(self, function: FunctionSummary) -> bool:
        """Whether a function does it, itself or by way of others."""
        if (itself := self._itself(function)) is not None:
            return itself
        key = (self._what, function.name)
        found: bool = self._questions.remembered(key, self._step, function, self._known, in_circle=False)
        return found

    def _step(self, function: FunctionSummary) -> bool:
        return self._questions.one_step_on(self._calls_doing, function, too_far=False)

    def _calls_doing(self, function: FunctionSummary) -> bool:
        return any(map(self.does, all_run_by(self._calls(function), self._index)))
