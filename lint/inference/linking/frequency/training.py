"""Which functions train: they run a backward pass or step an optimizer each time, themselves or by way of others."""

from __future__ import annotations

from dataclasses import replace

from ....finding import Frequency, Level, Reason
from ...notes.summary import FunctionSummary
from ...often.local import Local
from ...often.roles import is_test_name
from ..index.noted_index import NotedIndex
from ..resolving.questions import Questions
from .by_body import MOST_REASONS, last_part
from .doing import Doing


class Training:
    """Follows what functions call once each time that they run, and tells loops over steps by it."""

    def __init__(self, index: NotedIndex, questions: Questions) -> None:
        self._trains = Doing(index, questions, "trains", _trains, lambda function: function.calls)

    def around(self, local: Local) -> Local:
        """Return how often a place runs in a plain loop: in one over steps, if it calls what trains."""
        called = self._trains.first(local.calls)
        if called is None:
            return local
        words = f"the loop calls `{last_part(called.name)}()`, which runs a backward pass or steps an optimizer"
        return replace(local, level=Level.EVERY_STEP, repeats=False, reasons=(Reason(words),), calls=())

    def repeated(self, function: FunctionSummary, local: Local, called: Frequency) -> Frequency:
        """Return how often a call runs, which a plain loop makes: of what trains, that is a loop over steps."""
        repeats = local.repeats and local.level is not Level.ONCE and local.cap is None
        if not repeats or called.level not in (Level.ONCE, Level.EVERY_EPOCH) or not self._trains.does(function):
            return called
        reason = Reason(f"`{last_part(function.name)}` runs a backward pass, clips gradients or steps an optimizer")
        return replace(called, level=Level.EVERY_STEP, reasons=(*called.reasons[: MOST_REASONS - 1], reason))


def _trains(function: FunctionSummary) -> bool | None:
    """Whether a function trains each time that it runs; one with a loop over steps, or a test, does not."""
    if function.stepping or is_test_name(last_part(function.name)):
        return False
    return function.training if function.training or not function.calls else None
