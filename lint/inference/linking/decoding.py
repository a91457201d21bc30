"""Which plain loops decode: each pass gives a function that runs a model what that gave in an earlier one."""

from __future__ import annotations

from dataclasses import replace

from ...finding import Frequency, Level, Reason
from ..notes.summary import FunctionSummary
from ..often.local import Local
from .answer import Answers
from .by_body import last_part
from .noted_index import NotedIndex
from .questions import Questions
from .run_by import all_run_by


class Decoding:
    """Follows what functions call once each time that they run to those that run a model."""

    def __init__(self, index: NotedIndex, questions: Questions) -> None:
        self._index = index
        self._questions = questions
        self._known: Answers = {}

    def around(self, local: Local, function: Frequency) -> Local:
        """Return how often a place runs in a plain loop of what is taken for inference: for each token, if it decodes.

        Of a function that is no use of a model the loop is a part, whatever it repeats.
        """
        if function.level is not Level.EVALUATION or not function.assumed or local.level is not None:
            return local
        called = next(filter(self._runs, all_run_by(local.feeds, self._index)), None)
        if called is None:
            return local
        words = f"the loop calls `{last_part(called.name)}()`, which runs a model on what that gave before"
        return replace(local, level=Level.EVERY_STEP, reasons=(Reason(words),), calls=(), feeds=())

    def _runs(self, function: FunctionSummary) -> bool:
        """Whether a function runs a model each time that it is called, itself or by way of others."""
        if function.stepping:
            return False
        if function.running or not function.calls:
            return function.running
        key = ("runs", function.name)
        found: bool = self._questions.remembered(key, self._step, function, self._known, in_circle=False)
        return found

    def _step(self, function: FunctionSummary) -> bool:
        return self._questions.one_step_on(self._calls_running, function, too_far=False)

    def _calls_running(self, function: FunctionSummary) -> bool:
        return any(map(self._runs, all_run_by(function.calls, self._index)))
