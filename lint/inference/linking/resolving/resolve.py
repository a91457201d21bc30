"""Resolves values: answers the questions in them that reading left open, with what other functions and files tell."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ....declared import Declared
from ...library.calling import named
from ...notes.summary import CallSite, FunctionSummary
from ...values.lattice import Device
from ...values.operators import tested
from ...values.union import Deferred, Instance, Value
from ..index.noted_index import NotedIndex
from .answers import Asked
from .callees import Callees
from .calls import Calls
from .frames import Frames
from .insides import Insides
from .objects import Objects
from .passing import all_bound
from .questions import UNANSWERED, Questions
from .terms import Terms


class Resolver:
    """Resolves the values of a project; its parts ask each other for what is inside of what they find."""

    def __init__(self, index: NotedIndex, questions: Questions, declared: Declared) -> None:
        self._questions = questions
        self._index = index
        self._frames = Frames(questions, index.about)
        self._insides = Insides(index, questions, self.resolve, lambda term: self._frames.bound(term) is not None)
        self.objects = objects = Objects(index, questions, self._frames, self.resolve, self._property)
        self._calls = Calls(index, questions, self._frames, objects, self.resolve, declared)
        asked = Asked(index, questions, self._frames, objects, self._calls, self.resolve)
        self._terms = Terms(index, questions, self._frames, self, asked)
        self._kinds: dict[type, Callable[[Any], Value]] = {Deferred: self._terms.resolve, **self._insides.kinds}
        self.callees = Callees(self._calls, declared)

    def resolve(self, value: Value) -> Value:
        """Return the value with every question in it answered; Unknown if there is no answer."""
        if type(value) is Deferred and (known := self._terms.known(value)) is not None:
            return known
        answer = self._kinds.get(type(value))
        return value if answer is None else self._questions.one_step_on(answer, value, UNANSWERED)

    def in_call(self, function: FunctionSummary, site: CallSite, value: Value) -> Value:
        """Return what a value in a function is, resolved, in one call of that."""
        given = tuple(map(self.resolve, self.objects.given(site, function)))
        keywords = tuple((name, self.resolve(each)) for name, each in site.keywords)
        bindings = all_bound(function, given, keywords)
        found: Value = self._frames.result(function.name, bindings, partial(self.resolve, value)).value
        return found

    def device(self, device: Device) -> Device:
        """Return the device with the question answered whose device it is like."""
        return self._insides.device(device)

    def runs_own(self, function: str) -> bool:
        """Whether a call of a library's function runs one of the project, which is that library, or has a copy."""
        return self._index.callable(function) is not None

    def is_compared(self, value: Value) -> bool:
        """Whether a value is made by comparing, as far as what functions return and put into containers shows."""
        return bool(tested(self._insides.origin(value)))

    @property
    def errors(self) -> list[Exception]:
        """The errors of our own that were met, each of which has cost one answer."""
        return self._questions.errors

    def start_over(self) -> None:
        """Forget what is being asked: something has ended it."""
        self._questions.start_over()
        self._frames.start_over()

    def _property(self, function: str, base: Instance) -> Value:
        return named(function, (base,), (), self._calls)
