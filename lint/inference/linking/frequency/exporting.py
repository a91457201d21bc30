"""Which classes only code that exports models makes: what runs them traces them, once."""

from __future__ import annotations

from collections.abc import Sequence

from ....facts import autograd
from ....finding import Frequency, Level, Reason
from ...notes.summary import CallSite
from ...often.roles import names_export
from ..index.answer import Answers
from ..index.noted_index import NotedIndex
from ..resolving.questions import Questions
from .by_body import last_part


class Exporting:
    """Follows who makes objects of a class to functions and scripts that export models."""

    def __init__(self, index: NotedIndex, questions: Questions) -> None:
        self._index = index
        self._questions = questions
        self._known: Answers = {}

    def of(self, method: str, found: Frequency) -> Frequency:
        """Return how often a method runs: once if a step was only assumed, and objects are made to be exported."""
        cls = method.rpartition(".")[0]
        is_open = found.level >= Level.EVERY_STEP and (found.per or found.assumed)
        if not is_open or not self._index.is_defined(cls) or not self._exports(cls):
            return found
        return Frequency(Level.ONCE, (Reason(f"only code that exports models makes a `{last_part(cls)}`"),))

    def _exports(self, cls: str) -> bool:
        found: bool = self._questions.remembered(("exports", cls), self._step, cls, self._known, in_circle=False)
        return found

    def _step(self, cls: str) -> bool:
        return self._questions.one_step_on(self._is_exported, cls, too_far=False)

    def _is_exported(self, cls: str) -> bool:
        sites = [each for each in self._users(cls) if not self._index.why_unused(each.caller)]
        return bool(sites) and all(self._in_export(each.caller) for each in sites)

    def _users(self, cls: str) -> Sequence[CallSite]:
        """Return where objects are made, or an autograd function is applied; nothing if others may do so."""
        if self._index.kind(cls) != autograd.KIND:
            return self._index.made_at(cls)
        sites = self._index.sites_of(f"{cls}.{autograd.RUNS}")
        return () if any(each.passed for each in sites) or self._index.is_offered(cls) else sites

    def _in_export(self, caller: str) -> bool:
        cls = caller.rpartition(".")[0]
        return names_export(caller) or (self._index.is_defined(cls) and self._exports(cls))
