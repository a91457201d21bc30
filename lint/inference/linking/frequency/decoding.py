"""Which plain loops decode: each pass gives a function that runs a model what that gave in an earlier one."""

from __future__ import annotations

from dataclasses import replace

from ....finding import Frequency, Level, Reason
from ...notes.summary import FunctionSummary
from ...often.local import Local
from ..index.noted_index import NotedIndex
from ..resolving.questions import Questions
from .by_body import last_part
from .doing import Doing


class Decoding:
    """Follows what functions call once each time that they run to those that run a model."""

    def __init__(self, index: NotedIndex, questions: Questions) -> None:
        self._runs = Doing(index, questions, "runs", _runs, lambda function: function.calls)

    def around(self, local: Local, function: Frequency) -> Local:
        """Return how often a place runs in a plain loop of what is taken for inference: for each token, if it decodes.

        Of a function that is no use of a model the loop is a part, whatever it repeats.
        """
        if function.level is not Level.EVALUATION or not function.assumed or local.level is not None:
            return local
        called = self._runs.first(local.feeds)
        if called is None:
            return local
        words = f"the loop calls `{last_part(called.name)}()`, which runs a model on what that gave before"
        return replace(local, level=Level.EVERY_STEP, reasons=(Reason(words),), calls=(), feeds=())


def _runs(function: FunctionSummary) -> bool | None:
    """Whether a function runs a model each time that it is called; one with a loop over steps does not."""
    if function.stepping:
        return False
    return function.running if function.running or not function.calls else None
