"""Which loops of scripts use a model: what they call runs it, itself or by way of others."""

from __future__ import annotations

from dataclasses import replace

from ....finding import Frequency, Level, Reason
from ....limits import MOST_CALLED
from ...notes.summary import FunctionSummary
from ...often.local import Local
from ...often.roles import IN_TESTS
from ..index.noted_index import NotedIndex
from ..resolving.questions import Questions
from .by_body import last_part
from .doing import Doing
from .programs import Programs


class Using:
    """Follows what functions call, and tells loops that go through data with a model by it."""

    def __init__(self, index: NotedIndex, questions: Questions) -> None:
        self._index = index
        self._uses = Doing(index, questions, "uses", _uses, _called)
        self._leads_to_training = Doing(index, questions, "leads to training", _leads_to_training, _called)
        self.programs = Programs(index, questions, self._may_train)

    def around(self, local: Local, owner: str, found: Frequency) -> Frequency:
        """Return how often a function runs, around a place in it: to use a model, if a loop there does so.

        In what leads to training it may be a loop over epochs, or experiments; what makes an object may hand functions
        on to whatever trains.
        """
        if last_part(owner) == "__init__":
            return found
        if found.level is not Level.ONCE or local.level is not None or not local.repeats or local.uses:
            return found
        if any(reason.message == IN_TESTS for reason in found.reasons) or self._may_train(owner):
            return found
        if (called := self._uses.first(local.calls)) is not None:
            words = f"the loop calls `{last_part(called.name)}()`, which runs a model"
        elif local.gives:
            words = "the loop gives a model to what is named like a use of it"
        else:
            return found
        loop = None if local.loop is None else Reason(words, local.loop.span)
        return replace(found, level=Level.EVALUATION, reasons=(Reason(words),), assumed=True, loop=loop)

    def _may_train(self, owner: str) -> bool:
        """Whether a function leads to training; one that calls more than is followed may."""
        function = self._index.function(owner)
        return function is None or len(function.others) == MOST_CALLED or self._leads_to_training.does(function)

    def as_step(self, local: Local, owner: str, function: Frequency, found: Frequency) -> Frequency:
        """Return how often a place runs in a loop that uses a model: every step, where the program is there for that.

        `function` is how often the function with the loop runs, `found` how often the place does otherwise.
        """
        is_use = local.uses or (local.level is None and local.repeats)
        if found.level is not Level.EVALUATION or function.level is not Level.ONCE or local.cap is not None:
            return found
        if not is_use or not self.programs.only_use(owner):
            return found
        reason = Reason("the program trains nothing: it is there for what its model gives")
        return replace(found, level=Level.EVERY_STEP, reasons=(*found.reasons, reason), assumed=False)


def _called(function: FunctionSummary) -> tuple[str, ...]:
    return (*function.calls, *function.others)


def _uses(function: FunctionSummary) -> bool | None:
    """Whether a function runs a model to use it; one that makes an object or trains does not."""
    if last_part(function.name) == "__init__" or function.looping or function.training:
        return False
    return function.using if function.using or not _called(function) else None


def _leads_to_training(function: FunctionSummary) -> bool | None:
    """Whether a function trains, or calls what does."""
    if function.looping or function.training:
        return True
    return None if _called(function) else False
