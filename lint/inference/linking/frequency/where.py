"""The conditions without which no object of a class is made, and no function is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Final, TypeAlias

from ....finding import Frequency, Level
from ...notes.summary import CallSite
from ...often.conditions import all_of, but_for_training, leave_nothing_out, on_either
from ...often.local import Local
from ..index.answer import MADE, REACHED, About
from ..index.noted_index import NotedIndex
from ..resolving.questions import Questions
from .by_body import last_part

Making: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""The conditions that lead to objects of a class, and those of them that do not hold by default."""
ANYWHERE: Final[Making] = ((), ())


class Where:
    """Asks where objects are made; `frequency` tells how often a function runs, `settled` what a call still asks."""

    def __init__(
        self,
        index: NotedIndex,
        questions: Questions,
        frequency: Callable[[str], Frequency],
        settled: Callable[[Local, str], tuple[Local, str]],
    ) -> None:
        self._index = index
        self._questions = questions
        self._frequency = frequency
        self._settled = settled
        self._known = questions.kept(lambda key: About(key[1], MADE))
        self._reached = questions.kept(lambda key: About(key[1], REACHED))

    def made(self, cls: str) -> Making | None:
        """Return the conditions that lead to objects of a class; None if nothing makes any that runs."""
        nothing: Making | None = ANYWHERE
        return self._questions.remembered(("made", cls), self._find_made, cls, self._known, nothing)

    def _find_made(self, cls: str) -> Making | None:
        sites = self._index.made_at(cls)
        running = [each for each in sites if self._runs(each) and not self._index.why_unused(each.caller)]
        if not running:
            return None if sites else ANYWHERE
        off = {
            each
            for site in running
            for each in (*self._settled(site.local, site.caller)[0].off, *self._frequency(site.caller).off)
        }
        found = [but_for_training(all_of(self._asked_at(each), self._leading_to(each.caller))) for each in running]
        shared = reduce(on_either, found)
        if not shared and not leave_nothing_out(found):
            shared = (f"`{last_part(cls)}` is chosen",)
        return shared, tuple(each for each in shared if each in off)

    def is_replaced(self, method: str) -> bool:
        """Whether every object that is made of a method's class has a method of its own in its place."""
        cls, _, last = method.rpartition(".")
        replacing = {f"{each}.{last}" for each in self._index.derived_with(cls, last)} if last != "__init__" else ()
        if not replacing or any(site.caller in replacing for site in self._index.sites_of(method)):
            return False  # one of them calls that of its base
        made = [getattr(site.positional[0], "cls", "") for site in self._index.made_at(cls)]
        return bool(made) and all(
            any(f"{base}.{last}" in replacing for base in self._index.bases(each)) for each in made
        )

    def _runs(self, site: CallSite) -> bool:
        return self._frequency(site.caller).level is not Level.UNCALLED

    def _leading_to(self, function: str) -> tuple[str, ...]:
        """Return the conditions that lead to a function, whoever calls it.

        How often it runs is told by those that call it most often, and others may need none.
        """
        key, nothing = ("reached", function), tuple[str, ...]()
        return self._questions.remembered(key, self._step, function, self._reached, nothing)

    def _step(self, function: str) -> tuple[str, ...]:
        return self._questions.one_step_on(self._find_leading_to, function, ())

    def _find_leading_to(self, function: str) -> tuple[str, ...]:
        told = self._frequency(function).conditions
        if not told:
            return ()
        sites = [each for each in self._index.sites_of(function) if each.caller != function and self._runs(each)]
        by_callers = {each for site in sites for each in self._conditions(site)}
        ways = [all_of(self._asked_at(site), self._leading_to(site.caller)) for site in sites]
        return tuple(each for each in told if each not in by_callers or _is_in_all(each, ways))

    def _conditions(self, site: CallSite) -> tuple[str, ...]:
        return all_of(self._asked_at(site), self._frequency(site.caller).conditions)

    def _asked_at(self, site: CallSite) -> tuple[str, ...]:
        """Return the conditions of a call that do not hold by default."""
        return self._settled(site.local, site.caller)[0].conditions


def _is_in_all(condition: str, ways: Sequence[tuple[str, ...]]) -> bool:
    return all(condition in way for way in ways)
