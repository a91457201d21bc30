"""How often methods run that are called on objects of which nothing is known, by who calls methods of that name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from ....facts import libraries, naming
from ....facts.signatures import public_tensor_methods
from ....finding import Frequency, Level
from ...notes.summary import CallSite, FunctionSummary
from ...often.conditions import all_of, opposite, shared
from ...often.roles import is_of_whole_run
from ..index.noted_index import NotedIndex
from .by_body import last_part
from .routes import is_hot, through, together

WORKERS: Final = frozenset(libraries.WORKER_KINDS.values()) - {libraries.WORKER_KINDS["test case"]}
"""Why what prepares data runs before a step."""
SELDOM: Final = (Level.ONCE, Level.EVALUATION, Level.EVERY_EPOCH, Level.EVERY_N_STEPS)


class ByName:
    """Asks the calls of methods by their name; `at` tells how often a call runs."""

    def __init__(self, index: NotedIndex, at: Callable[[CallSite], Frequency]) -> None:
        self._index = index
        self._at = at

    def by_name(self, function: FunctionSummary) -> Frequency | None:
        """Return how often methods of that name are called on objects of which nothing is known.

        Callers of which nothing is known tell nothing, where others tell that they evaluate. What tensors have a method
        by the name of is most likely called on a tensor.
        """
        found = [] if last_part(function.name) in public_tensor_methods() else self._named(function)
        if not found:
            return None
        best = loudest(found)
        if best.level >= Level.EVERY_STEP:
            return through(best, partial(self._assumed, function.name))
        if best.level is Level.UNKNOWN and not self._index.is_called_by_base(function.name):
            return next((each for each in found if each.level is Level.EVALUATION and not each.assumed), None)
        return best if best.level in (Level.EVALUATION, Level.EVERY_N_STEPS) else None  # else there may be others

    def in_steps(self, function: FunctionSummary) -> Frequency | None:
        """Return how often a method that computes on nothing given runs, if calls by its name are part of steps."""
        found = self.by_name(function)
        return found if found is not None and found.level >= Level.EVERY_STEP else None

    def _assumed(self, method: str, route: Frequency) -> Frequency:
        """Return how often a method is called by a route on which only its name is seen."""
        conditions = all_of(route.conditions, self._chosen(method))
        return replace(route, conditions=conditions, assumed=True, cause=route.cause or method)

    def _chosen(self, method: str) -> tuple[str, ...]:
        """Return that an object is of a method's class, where objects of others may take its place."""
        cls = last_part(method.rpartition(".")[0])
        return (f"`{cls}` is chosen",) if self._index.is_one_of_several(method) else ()

    def seldom(self, function: FunctionSummary) -> Frequency | None:
        """Return how often methods of that name are called on objects of which nothing is known, if seldom.

        Calls of tests tell nothing, those of data sets that it may run before a step.
        """
        named = self._named(function)
        found = [each for each in named if each.level not in (Level.UNCALLED, Level.NEVER)]
        found = found or list(filter(_is_by_worker, named))
        if not found or self._index.is_called_by_base(function.name) or self._index.is_offered(function.name):
            return None
        best = loudest(found)
        return best if best.level in SELDOM or best.level is Level.NEVER else None

    def in_whole_run(self, function: FunctionSummary) -> Frequency | None:
        """Return that a method runs once if its name says so, and all call-backs that call its like are of a run."""
        if function.role is None or function.role.level is not Level.ONCE:
            return None
        found = [each for each in self._named(function) if each.level is not Level.UNCALLED]
        return found[0] if found and all(map(is_of_whole_run, found)) else None

    def evaluates(self, function: FunctionSummary) -> Frequency | None:
        """Return evaluation if all that calls methods of that name evaluates, whatever the function does itself."""
        is_open = function.training or self._index.is_called_by_base(function.name)
        found = [] if is_open else self._named(function)
        told = {(each.level, each.assumed) for each in found if each.level > Level.UNCALLED}
        return loudest(found) if told == {(Level.EVALUATION, False)} else None

    def part_of_step(self, function: FunctionSummary) -> Frequency | None:
        """Return how often a function runs that is named like evaluation, if what runs every step calls it."""
        if function.role is None or function.role.level is not Level.EVALUATION:
            return None
        for site in self._index.sites_of(function.name):
            if not site.passed and site.caller != function.name:
                found = self._at(site)
                if is_hot(found) and not found.assumed:
                    return found
        return None

    def evaluating(self, function: FunctionSummary) -> Frequency | None:
        """Return how often a metric is updated, or computed, that only evaluation is seen to use."""
        cls = function.name.rpartition(".")[0]
        if not self._index.is_defined(cls) or self._index.kind(cls) not in libraries.METRIC_KINDS:
            return None
        derived = (each for name in ("update", "compute") for each in self._index.derived_with(cls, name))
        if any(self._index.is_offered(f"{each}.update") for each in (cls, *derived)):
            return None
        found = [self._at(site) for site in self._index.sites_of(function.name) if site.caller != function.name]
        best = loudest(found) if found else None
        return best if best is not None and best.level is Level.EVALUATION and not best.assumed else None

    def fed(self, function: FunctionSummary) -> Frequency | None:
        """Return evaluation for what gives a model its batches, if all calls evaluate that are or may be of it."""
        if last_part(function.name) not in naming.FEEDING:
            return None
        return self._only(Level.EVALUATION, function)

    def by_none(self, function: FunctionSummary) -> Frequency | None:
        """Return that nothing calls a function if all calls that are or may be of it are in what nothing calls."""
        name, index = function.name, self._index
        return self._only(Level.UNCALLED, function) if index.in_program(name) and not index.is_offered(name) else None

    def _only(self, level: Level, function: FunctionSummary) -> Frequency | None:
        """Return how often a function runs if all calls that are or may be of it run like this; None if there are none.

        A library may call a method, too.
        """
        name, index = function.name, self._index
        if index.is_called_by_base(name):
            return None
        named = index.named_sites(name)
        sites = [site for site in (*index.sites_of(name), *named) if site.caller != name]
        if not sites or (not named and index.is_called_by_name(name)):
            return None
        found = [self._at(site) for site in sites]
        return loudest(found) if all(each.level is level for each in found) else None

    def _named(self, function: FunctionSummary) -> list[Frequency]:
        """Return how often each call runs that may be of a method by its name."""
        return [self._at(site) for site in self._index.named_sites(function.name) if site.caller != function.name]


def _is_by_worker(found: Frequency) -> bool:
    """Whether what prepares data calls something."""
    return found.level is Level.NEVER and any(each.message in WORKERS for each in found.reasons)


def _rank(found: Frequency) -> tuple[bool, Level, bool, bool]:
    """Return what orders calls by what they tell: one that nothing runs tells less than any other."""
    return found.level is not Level.UNCALLED, found.level, not found.assumed, not found.per


def loudest(found: Sequence[Frequency]) -> Frequency:
    """Return the one that runs most often; of several that run equally often only what all of them hang on is left.

    Nor does that hold without which another runs as often, even if only an option lets it. Of forwards of several
    modules those of one are told, which hang on the least.
    """
    if len(found) == 1:
        return found[0]
    if any(map(is_hot, found)):
        return together(found)
    ranks = [_rank(each) for each in found]
    most = max(ranks)
    units: dict[str, list[Frequency]] = {}
    for each, rank in zip(found, ranks):
        if rank == most:
            units.setdefault(each.per, []).append(each)
    told = [(loud, shared([each.conditions for each in loud])) for loud in units.values()]
    loud, conditions = min(told, key=lambda each: len(each[1]))
    same = (each for each in found if each.level is loud[0].level and each.per in ("", loud[0].per))
    others = {condition for each in same for condition in each.conditions}
    return replace(loud[0], conditions=tuple(each for each in conditions if opposite(each) not in others))


def loudest_of_calls(found: Sequence[tuple[CallSite, Frequency]]) -> Frequency | None:
    """Return the call that runs most often; None if there are none but of those who are handed a function.

    They may call it more often than once. Where nobody knows how often others call it, what they hang on counts, too.
    """
    told = [each for site, each in found if not site.passed or each.level >= Level.EVERY_STEP or _is_gated(each)]
    if not told or (best := loudest(told)).level is not Level.UNKNOWN:
        return best if told else None
    handed = [each.conditions for site, each in found if site.passed and each.level is not Level.UNCALLED]
    return replace(best, conditions=shared([best.conditions, *handed]))


def _is_gated(called: Frequency) -> bool:
    """Whether a loop over steps lets some of them through."""
    return called.level is Level.EVERY_N_STEPS
