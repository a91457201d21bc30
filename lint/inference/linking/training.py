"""Which functions train: they run a backward pass or step an optimizer each time, themselves or by way of others."""

from __future__ import annotations

from ..notes.summary import FunctionSummary
from ..often.roles import is_test_name
from .answer import Answers
from .noted_index import NotedIndex
from .questions import Questions


class Training:
    """Follows what functions call once each time that they run."""

    def __init__(self, index: NotedIndex, questions: Questions) -> None:
        self._index = index
        self._questions = questions
        self._known: Answers = {}

    def trains(self, function: FunctionSummary | None) -> bool:
        """Whether a function trains each time that it runs; one with a loop over steps, or a test, does not."""
        if function is None or function.stepping or is_test_name(function.name.rpartition(".")[2]):
            return False
        if function.training or not function.calls:
            return function.training
        key = ("trains", function.name)
        found: bool = self._questions.remembered(key, self._step, function, self._known, in_circle=False)
        return found

    def _step(self, function: FunctionSummary) -> bool:
        return self._questions.one_step_on(self._calls_training, function, too_far=False)

    def _calls_training(self, function: FunctionSummary) -> bool:
        return any(self.trains(self._index.callable(name)) for name in function.calls)
