"""Which functions train: they run a backward pass or step an optimizer each time, themselves or by way of others."""

from __future__ import annotations

from dataclasses import replace

from ....finding import Frequency, Level, Reason
from ....limits import MOST_REASONS
from ...notes.summary import CallSite, FunctionSummary
from ...often.conditions import all_of
from ...often.local import EVERY_N, Local
from ..index.noted_index import NotedIndex
from ..resolving.questions import Questions
from .by_body import last_part
from .doing import Doing


class Training:
    """Follows what functions call once each time that they run, and tells loops over steps by it."""

    def __init__(self, index: NotedIndex, questions: Questions) -> None:
        self._index = index
        self._trains = Doing(index, questions, "trains", _trains, lambda function: function.calls)

    def around(self, local: Local) -> Local:
        """Return how often a place runs in a plain loop: in one over steps, if it calls what trains."""
        called = self._trains.first(local.calls)
        if called is None:
            return local
        words = f"the loop calls `{last_part(called.name)}()`, which runs a backward pass or steps an optimizer"
        return replace(local, level=Level.EVERY_STEP, repeats=False, reasons=(Reason(words),), calls=())

    def past_its_gate(self, site: CallSite) -> CallSite:
        """Return a call that a gate lets through, of what trains, if nothing else in its caller does, as the step."""
        local, callee, caller = site.local, self._index.function(site.callee), self._index.function(site.caller)
        if not local.gate or local.cap is not Level.EVERY_N_STEPS or callee is None or not self._trains.does(callee):
            return site
        if caller is not None and (caller.training or caller.looping):
            return site
        conditions = all_of((local.gate,), local.conditions)
        reasons = tuple(each for each in local.reasons if each.message != EVERY_N)
        return site._replace(local=replace(local, cap=None, gate="", conditions=conditions, reasons=reasons))

    def repeated(self, function: FunctionSummary, local: Local, called: Frequency) -> Frequency:
        """Return how often a call runs, which a plain loop makes: of what trains, that is a loop over steps."""
        repeats = local.repeats and local.level is not Level.ONCE and local.cap is None
        if not repeats or called.level not in (Level.ONCE, Level.EVERY_EPOCH) or not self._trains.does(function):
            return called
        reason = Reason(f"`{last_part(function.name)}` runs a backward pass, clips gradients or steps an optimizer")
        return replace(called, level=Level.EVERY_STEP, reasons=(*called.reasons[: MOST_REASONS - 1], reason))


def _trains(function: FunctionSummary) -> bool | None:
    """Whether a function trains each time that it runs; one with a loop over steps does not."""
    if function.stepping:
        return False
    return function.training if function.training or not function.calls else None
