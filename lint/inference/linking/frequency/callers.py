"""How often each function runs: by its role, by who calls it, or by assumption."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from typing import TYPE_CHECKING

from ....facts import hooks, libraries
from ....finding import Frequency, Level, Reason
from ....limits import MOST_REASONS
from ...notes.summary import CallSite, FunctionSummary
from ...often.combining import combine
from ...often.conditions import all_of, but_for_training, common
from ...often.local import Local
from ...often.roles import hooked
from ...values.union import Value
from ..index.answer import CALLED, About
from ..index.noted_index import NotedIndex
from ..resolving.questions import Questions
from .by_body import (
    ONLY_PREPARED,
    assumed,
    drives,
    for_a_batch,
    handed_on,
    infers,
    is_composed,
    last_part,
    on_tensors,
    trains,
)
from .by_name import ByName, loudest_of_calls
from .configured import configured
from .given import Given
from .on_objects import OnObjects
from .routes import is_seen, through, together, told
from .training import Training
from .using import Using
from .usual import Usual
from .where import ANYWHERE, Making, Where
from .yielded import Yielded

if TYPE_CHECKING:
    from ....settings.config import Settings

UNKNOWN_FREQUENCY = Frequency(Level.UNKNOWN, (Reason("the callers of this function are not known"),))


class Callers:
    """Computes the frequencies of functions from the calls of all files."""

    def __init__(
        self, index: NotedIndex, settings: Settings, questions: Questions, resolve: Callable[[Value], Value]
    ) -> None:
        self.index = index
        self._settings = settings
        self.is_closed = settings.is_closed
        self._questions = questions
        self._named = ByName(index, self._at)
        self._known = questions.kept(lambda name: About(name, CALLED))
        self._training = Training(index, questions)
        self._using = Using(index, questions)
        self._usual = Usual(index, questions, resolve, self._using.programs, settings.options_set)
        self._given = Given(index, questions, resolve, self._at, self._usual, self.is_closed)
        self._where = Where(index, questions, self.frequency, self._usual.settled)
        self._yielded = Yielded(index, self.of)
        self._objects = OnObjects(index, questions, self.frequency, self._made_where, self._at)

    def frequency(self, name: str) -> Frequency:
        """Return how often the function with that name runs."""
        return self._questions.remembered(name, self._step, name, self._known, UNKNOWN_FREQUENCY)

    def said(self, local: Local, owner: str) -> Frequency:
        """Return how often a place runs, with the conditions that a report names."""
        return told(self.of(local, owner))

    def of(self, local: Local, owner: str, inside: int = 0, on: str = "") -> Frequency:
        """Return how often a place in a function runs, or of a module; `inside` of how many generators it was met.

        `on`: on objects of this class, if it is a method of one of its bases.
        """
        function = self._objects.frequency(owner, on) if on else self.frequency(owner)
        local, never = self._usual.settled(self._training.around(local), owner)
        if never:
            return Frequency(Level.ONCE, (Reason(never),))
        local = self._given.but_for_met(local, owner, function)
        runs = self._around(local, owner, function)
        found = through(runs, partial(self._around_use, local, owner))
        return self._yielded.passes(local, owner, found, inside)

    def _around_use(self, local: Local, owner: str, function: Frequency) -> Frequency:
        """Return how often a place in a function runs, by one route to that."""
        found = combine(local, self._using.around(local, owner, function))
        return self._using.as_step(local, owner, function, found)

    def _around(self, local: Local, owner: str, found: Frequency) -> Frequency:
        """Return how often a function runs, around a place in it."""
        if found.level is Level.ONCE and local.level is not None and (words := self.index.why_unused(owner)):
            found = Frequency(Level.UNCALLED, (Reason(words),))  # a loop over steps would say that it runs
        if local.needs and found.level > Level.UNCALLED:
            found = self._given.around(local.needs, owner, found)
        return found

    def _step(self, name: str) -> Frequency:
        return self._questions.one_step_on(self._find, name, UNKNOWN_FREQUENCY)

    def _find(self, name: str) -> Frequency:
        function = self.index.function(name)
        if function is None:
            return UNKNOWN_FREQUENCY
        if (found := configured(name, self._settings)) is not None:
            return found
        found = self._by_evidence(on_tensors(function, self.index))
        made, words = self._made_where(name), self.index.why_unused(name)
        if found.level > Level.UNCALLED and (words := words or self._why_no_object(name, made is not None)):
            return Frequency(Level.UNCALLED, (Reason(words),))
        chosen = self.index.chosen_as(name)
        asked, off = made or ANYWHERE
        more = all_of(asked, (chosen,) if chosen else ())
        return through(
            found,
            lambda route: replace(route, conditions=all_of(route.conditions, more), off=(*route.off, *off)),
        )

    def _why_no_object(self, method: str, is_made: bool) -> str:
        """Return why no object runs a method; empty if one may."""
        cls = method.rpartition(".")[0]
        if not is_made:
            return f"nothing that runs makes a `{last_part(cls)}`"
        if self.index.is_defined(cls) and self._where.is_replaced(method):
            return f"each `{last_part(cls)}` that is made has its own `{last_part(method)}`"
        return ""

    def _made_where(self, method: str) -> Making | None:
        """Return the conditions that lead to objects of a method's class; None if nothing that runs makes any."""
        cls, _, last = method.rpartition(".")
        return self.made_where(cls) if last != "__init__" and self.index.is_defined(cls) else ANYWHERE

    def made_where(self, cls: str) -> Making | None:
        """Return the conditions that lead to objects of a class; None if nothing makes any that runs."""
        return self._where.made(cls)

    def _by_evidence(self, function: FunctionSummary) -> Frequency:
        if (role := function.role) is not None and function.firm:
            if role.per and (seen := self._in_loops(function)) is not None and not seen.conditions:
                return seen
            own = self._named.part_of_step(function) or self._named.evaluating(function)
            own = own or self._named.fed(function) or role
            return self._chosen_by_modules(function, self._repeated(function, own))
        if (hook := self._as_hook(function)) is not None:
            return hook
        if function.stepping and function.role is not None and function.role.level is Level.NEVER:
            return drives(function)  # what runs a model in a loop is no worker's business
        called = self._seen(function)
        if called is not None and self._says_more(called, function):
            return called
        found = self._named.in_whole_run(function) or self._named.by_none(function)
        found = found or function.role or self._by_what_it_does(function)
        if found is UNKNOWN_FREQUENCY and self._is_called_by_its_class(function):
            found = self._by_callers(function) or found
        return found if called is None else replace(found, conditions=found.conditions or called.conditions)

    def _in_loops(self, function: FunctionSummary) -> Frequency | None:
        """Return how often a module's method runs by the loops over steps that are seen to call it; None if none is."""
        called = self._by_callers(function)
        seen = [route for route in called.routes if is_seen(route)] if called is not None else []
        return together(seen) if seen else None

    def _chosen_by_modules(self, function: FunctionSummary, found: Frequency) -> Frequency:
        """Return how often a module runs that others call, if all of them prepare data, evaluate, or are chosen."""
        if found.level < Level.EVERY_STEP or not function.name.endswith(".forward"):
            return found
        sites = [site for site in self.index.sites_of(function.name) if site.caller != function.name]
        if not (sites := [site for site in sites if not is_composed(site)]):
            return found
        if any(each.passed or each.local.level is not None for each in sites):
            return found
        if all(self._at(each).level is Level.NEVER for each in sites):
            return Frequency(Level.UNKNOWN, (*self._at(sites[0]).reasons, ONLY_PREPARED))
        is_lightning = self.index.kind(function.name.rpartition(".")[0]) == "lightning"  # its `training_step` is known
        if all((self._at(each).level if is_lightning else each.local.cap) is Level.EVALUATION for each in sites):
            return replace(found, level=Level.EVALUATION, reasons=(*found.reasons, *sites[0].local.reasons))
        conditions = reduce(common, map(self._asked_by, sites))
        return through(found, lambda route: replace(route, conditions=all_of(conditions, route.conditions)))

    def _asked_by(self, site: CallSite) -> tuple[str, ...]:
        """Return the conditions of a call; that a step trains, or a script, goes without saying."""
        conditions = site.local.conditions
        return conditions if self.frequency(site.caller).per else but_for_training(conditions)

    def _repeated(self, function: FunctionSummary, role: Frequency) -> Frequency:
        """Return how often a method runs that a library calls, or a loop over parts of a step: `layer(x)`.

        What others can install, they call as they like.
        """
        if role.level is Level.EVERY_STEP and not self.index.is_public(function.name):
            for site in self.index.sites_of(function.name):
                if site.local.repeats and site.local.level is None:
                    found = self._at(site)
                    if found.level is Level.EVERY_PASS and not found.assumed:
                        return found
        return role

    def _says_more(self, called: Frequency, function: FunctionSummary) -> bool:
        """Whether the callers that are seen say more than a function's name, and what it does."""
        role = function.role
        if role is not None and role.level is Level.EVALUATION < called.level <= Level.UNKNOWN:
            return False  # what evaluates every epoch, or who knows when, still evaluates
        if called.level is Level.ONCE and self._is_repeated_use(function):
            return False
        if called.assumed and (role is not None or function.stepping or function.inferring):
            return False
        if called.level is Level.UNKNOWN:
            return role is None and not (function.tensors or function.stepping or function.training)
        return True

    def _is_called_by_its_class(self, function: FunctionSummary) -> bool:
        """Whether all calls that are seen are of other methods of the same class; nothing tells that others do."""
        cls = function.name.rpartition(".")[0]
        callers = [site.caller for site in self.index.sites_of(function.name)]
        return self.index.is_defined(cls) and bool(callers) and all(each.startswith(f"{cls}.") for each in callers)

    def _is_repeated_use(self, function: FunctionSummary) -> bool:
        """Whether a function uses a model, and a loop calls it: for each image, say, that a script is given."""
        by_name = function.role is not None and function.role.level is Level.EVALUATION
        uses = by_name or (function.inferring and not function.training and function.role is None)
        return uses and any(site.local.repeats for site in self.index.sites_of(function.name))

    def _by_what_it_does(self, function: FunctionSummary) -> Frequency:
        """Return how often a function runs of which no callers are known that tell, by what is in it."""
        if function.inferring and not function.training:
            return infers(function)
        if (evaluating := self._named.evaluates(function)) is not None:
            return evaluating
        if function.stepping:
            return drives(function)
        if function.training:
            return trains(function)
        if not function.tensors:
            named = self._named.seldom(function) or self._named.in_steps(function)
            return named or handed_on(function.name, self.index) or UNKNOWN_FREQUENCY
        if (named := self._named.by_name(function)) is not None:
            return named
        if not self._has_others(function) and (seldom := self._named.seldom(function)) is not None:
            words = (
                f"calls of `{last_part(function.name)}` that are seen run {seldom.level.words}; others are not known"
            )
            return Frequency(Level.UNKNOWN, (Reason(words) if seldom.level > Level.NEVER else ONLY_PREPARED,))
        return assumed(function, self.is_closed)

    def _seen(self, function: FunctionSummary) -> Frequency | None:
        """Return how often the callers that are seen call a function, if they are likely to be all there are."""
        called = self._by_callers(function)
        if called is not None and called.level <= Level.UNCALLED and self.index.is_offered(function.name):
            return None  # that it is used to prepare data, or for set-up, here says nothing about how others use it
        if called is not None and called.level < Level.EVERY_STEP and self._has_others(function):
            return None
        return called

    def _as_hook(self, function: FunctionSummary) -> Frequency | None:
        """Return how often the library that a class derives from calls a method, even by a base in another file."""
        cls, _, method = function.name.rpartition(".")
        if function.role is not None or not self.index.is_defined(cls) or (kind := self.index.kind(cls)) is None:
            return None
        if kind in libraries.WORKER_KINDS and not function.stepping:
            return Frequency(Level.NEVER, (Reason(libraries.WORKER_KINDS[kind]),))
        hook = hooks.HOOKS.get((kind, method))
        return None if hook is None else hooked(hook, method, cls.rpartition(".")[2])

    def _by_callers(self, function: FunctionSummary) -> Frequency | None:
        sites = [site for site in self.index.sites_of(function.name) if site.caller != function.name]
        best = loudest_of_calls([(site, self._called(function, site)) for site in sites])
        is_open = best is None or best.level < Level.EVERY_STEP
        return trains(function) if is_open and function.training and sites and all(s.passed for s in sites) else best

    def _called(self, function: FunctionSummary, site: CallSite) -> Frequency:
        """Return how often a call site runs a function: of what trains, a plain loop is one over steps."""
        found = self._training.repeated(function, site.local, self._at(site))
        return through(found, partial(for_a_batch, function, site.local))

    def _has_others(self, function: FunctionSummary) -> bool:
        """Whether unseen callers may well run the function more often: it is a method of objects from outside."""
        is_open = any(site.open for site in self.index.sites_of(function.name))
        return function.tensors and is_open and not self.index.are_calls_seen(function.name)

    def _at(self, site: CallSite, on: str = "") -> Frequency:
        """Return how often a call site runs, with the call as one more reason; `on` objects of a class, see `of`."""
        found = self.of(self._training.past_its_gate(site).local, site.caller, on=self._objects.of_call(site, on))
        callee, caller = last_part(site.callee), last_part(site.caller).rstrip(":") or "the module"
        reason = Reason(f"`{caller}` {'hands on' if site.passed and callee[0] != '<' else 'calls'} `{callee}`")
        return through(found, lambda route: replace(route, reasons=(*route.reasons, reason)[:MOST_REASONS]))
