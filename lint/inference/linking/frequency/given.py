"""Whether the calls of a function give its parameters what a place in it needs: a mask that is `None`, say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from ....finding import Frequency, Level, Reason
from ...notes.summary import CallSite, FunctionSummary
from ...often.local import OF_OTHERS, OWN, Local, Need
from ...values.ops import Op
from ...values.union import SPREAD, UNKNOWN, Deferred, Host, Value, options_of
from ..index.answer import Answers
from ..index.handed_on import bound
from ..index.noted_index import NotedIndex
from ..resolving.passing import may_be
from ..resolving.questions import Questions
from .by_body import assumed, last_part
from .by_name import loudest
from .routes import is_hot
from .usual import Usual

_Asked: TypeAlias = tuple[FunctionSummary, str, str]
"""A function, one of its parameters, and what is wanted of that."""


class Given:
    """Follows what calls pass, also from one function to the next; `at` tells how often a call runs."""

    def __init__(
        self,
        index: NotedIndex,
        questions: Questions,
        resolve: Callable[[Value], Value],
        at: Callable[[CallSite], Frequency],
        usual: Usual,
        is_closed: bool,
    ) -> None:
        self._index = index
        self._questions = questions
        self._resolve = resolve
        self._at = at
        self._usual = usual
        self._is_closed = is_closed
        self._known: Answers = {}

    def around(self, needs: Sequence[Need], owner: str, found: Frequency) -> Frequency:
        """Return how often a function is called with what a place in it needs its parameters to be."""
        needs = [each for each in needs if not (each.others or each.name.startswith((OWN, OF_OTHERS)))]
        function = self._index.function(owner) if needs else None
        sites = self._sites(owner) if function is not None else []
        if function is None or not sites or any(site.passed for site in sites):
            return found
        unmet = [self._unmet_in(site, function, needs) for site in sites]
        meeting = [site for site, name in zip(sites, unmet) if name is None]
        if len(meeting) == len(sites) or (function.firm and (meeting or not self._is_forward_seen(owner, sites))):
            return found
        if not function.firm and not self._index.are_calls_seen(owner):
            return self._unless_others(function, meeting, found)
        if not meeting:
            words = f"no call of `{last_part(owner)}` passes a `{min(filter(None, unmet))}` with which this runs"
            return Frequency(Level.UNCALLED, (Reason(words),))
        best = loudest([self._at(site) for site in meeting])
        return best if best.level <= found.level or is_hot(found) else found  # conditions of other calls do not matter

    def but_for_met(self, local: Local, owner: str, function: Frequency) -> Local:
        """Return a place without the conditions on parameters that a call meets which runs as often as the function."""
        if not local.needs or function.level < Level.EVERY_STEP:
            return local
        met = {need.text for need in local.needs if self._is_met(need, owner, function.level)}
        return replace(local, conditions=tuple(each for each in local.conditions if each not in met)) if met else local

    def _is_met(self, need: Need, owner: str, level: Level) -> bool:
        """Whether a call that runs this often passes what a condition on a parameter needs."""
        function = self._index.function(owner)
        if function is None or not any(each.name in function.terms for each in (need, *need.others)):
            return False
        sites = (each for each in self._sites(owner) if not each.passed and self._usual.is_met(need, function, each))
        return any(self._at(each).level >= level for each in sites)

    def _sites(self, function: str) -> list[CallSite]:
        return [site for site in self._index.sites_of(function) if site.caller != function]

    def _unless_others(self, function: FunctionSummary, meeting: Sequence[CallSite], found: Frequency) -> Frequency:
        """Return how often a function is called, by others than are seen if no call that is passes what is needed."""
        if found.level < Level.EVERY_STEP or found.assumed:
            return found
        best = loudest([self._at(site) for site in meeting]) if meeting else None
        if best is None or (best.level < Level.EVERY_STEP and self._index.is_offered(function.name)):
            return assumed(function, self._is_closed)
        return min(best, found, key=lambda each: each.level)

    def _is_forward_seen(self, function: str, sites: Sequence[CallSite]) -> bool:
        """Whether a function is the `forward` of a program's module that each maker of such modules is seen to call.

        Where a module is kept in a list, or given to others, its calls may not be seen.
        """
        cls = function.removesuffix(".forward")
        if cls == function or not self._index.in_program(cls) or not (makers := self._index.made_at(cls)):
            return False
        calling = {name for site in sites for name in self._family(site.caller)}
        return all(calling.intersection(self._family(each.caller)) for each in makers)

    def _family(self, function: str) -> set[str]:
        """Return the class whose method a function is, with its bases and those derived from it, or the function."""
        cls = function.rpartition(".")[0]
        if not self._index.is_defined(cls):
            return {function}
        return {cls, *self._index.bases(cls), *self._index.derived_from(cls)}

    def _unmet_in(self, call: CallSite, function: FunctionSummary, needs: Sequence[Need]) -> str | None:
        """Return a parameter that is never in a call what it needs to be; None if each may be."""
        passed = bound(function, call.positional, call.keywords)
        for need in () if SPREAD in passed else needs:
            if not self._may_be(passed.get(need.name, function.defaults.get(need.name, UNKNOWN)), need.wanted):
                return need.name
        return None

    def _may_be(self, value: Value, wanted: str) -> bool:
        for option in options_of(value):
            if isinstance(option, Deferred) and option.op is Op.PARAMETER and option in self._index.parameters:
                if self._may_be_given(option, wanted):
                    return True
            elif any(self._is_set(option, each) or may_be(each, wanted) for each in options_of(self._resolve(option))):
                return True
        return False

    @staticmethod
    def _is_set(asked: Value, found: Value) -> bool:
        """Whether a value is one of an attribute that a program may set to another, wherever it wants."""
        return isinstance(asked, Deferred) and asked.op is Op.ATTRIBUTE and isinstance(found, Host)

    def _may_be_given(self, term: Deferred, wanted: str) -> bool:
        """Whether a call may pass what is wanted for a parameter."""
        function, name = self._index.parameters[term]
        key = ("may be given", function.name, name, wanted)
        may: bool = self._questions.remembered(key, self._step, (function, name, wanted), self._known, in_circle=True)
        return may

    def _step(self, asked: _Asked) -> bool:
        return self._questions.one_step_on(self._may_be_passed, asked, too_far=True)

    def _may_be_passed(self, asked: _Asked) -> bool:
        function, name, wanted = asked
        self._index.function(function.name)  # noted: an answer that is kept depends on it
        sites = self._sites(function.name)
        if not sites or any(site.passed for site in sites) or not self._are_seen(function, sites):
            return True
        return any(self._unmet_in(site, function, [Need(name, wanted)]) is None for site in sites)

    def _are_seen(self, function: FunctionSummary, sites: Sequence[CallSite]) -> bool:
        if function.firm:
            return self._is_forward_seen(function.name, sites)
        return self._index.are_calls_seen(function.name)
