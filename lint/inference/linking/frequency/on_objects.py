"""How often methods of a base run on objects of one of the classes that are derived from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from ....finding import Frequency, Level, Reason
from ...notes.summary import CallSite
from ..index.answer import Answers
from ..index.noted_index import NotedIndex
from ..resolving.questions import Questions
from .by_body import last_part
from .by_name import loudest_of_calls
from .routes import is_seen, through
from .where import ANYWHERE, Making

At: TypeAlias = Callable[[CallSite, str], Frequency]
"""How often a call runs, on objects of a class."""
_UNKNOWN = Frequency(Level.UNKNOWN, (Reason("the callers of this function are not known"),))


class OnObjects:
    """Follows calls of a base's methods on objects of one class; `frequency` tells how often they run on any object.

    `made_where` tells the conditions that lead to objects of a method's class.
    """

    def __init__(
        self,
        index: NotedIndex,
        questions: Questions,
        frequency: Callable[[str], Frequency],
        made_where: Callable[[str], Making | None],
        at: At,
    ) -> None:
        self._index = index
        self._questions = questions
        self._frequency = frequency
        self._made_where = made_where
        self._at = at
        self._known: Answers = {}

    def frequency(self, method: str, cls: str) -> Frequency:
        """Return how often a method runs on objects of a class that is derived from its own."""
        key = ("on objects", method, cls)
        return self._questions.remembered(key, self._step, (method, cls), self._known, _UNKNOWN)

    def _step(self, asked: tuple[str, str]) -> Frequency:
        return self._questions.one_step_on(self._find, asked, _UNKNOWN)

    def _find(self, asked: tuple[str, str]) -> Frequency:
        method, cls = asked
        sites = [each for each in self._index.sites_of(method) if each.caller != method and self._fits(each, cls)]
        called = loudest_of_calls([(each, self._at(each, cls)) for each in sites])
        if called is not None and is_seen(called):
            return called
        base, (made, _) = method.rpartition(".")[0], self._made_where(method) or ANYWHERE
        return through(self._frequency(method), partial(_on_derived, base=base, cls=cls, made=made))

    def _fits(self, site: CallSite, cls: str) -> bool:
        """Whether a method may be called on an object of a class."""
        made = _made(site)
        return not self._index.is_defined(made) or made in self._index.bases(cls) or cls in self._index.bases(made)

    def of_call(self, site: CallSite, on: str) -> str:
        """Return the class of the objects on which a method calls one of its own; empty if they may be any of its.

        `on`: the method itself runs on objects of that class.
        """
        caller = site.caller.rpartition(".")[0]
        if site.passed or not self._index.is_defined(caller):
            return ""
        derived = (each for each in (on, _made(site), site.callee.rpartition(".")[0]) if each not in ("", caller))
        return next((each for each in derived if caller in self._index.bases(each)), "")


def _made(site: CallSite) -> str:
    """Return the class of the object whose method is called; empty if it is not known."""
    return getattr(site.positional[0], "cls", "") if site.positional else ""


def _on_derived(route: Frequency, base: str, cls: str, made: Sequence[str]) -> Frequency:
    """Return a route to a method of a base as one to objects of a derived class, which others make elsewhere."""
    conditions = tuple(each for each in route.conditions if each not in made)
    per = route.per.replace(f"`{last_part(base)}`", f"`{last_part(cls)}`")
    return replace(route, conditions=conditions, per=per)
