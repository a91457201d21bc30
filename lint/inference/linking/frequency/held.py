"""What objects hold in attributes wherever they are made, and which places in methods never run for that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ...notes.summary import FunctionSummary
from ...often.local import OWN, Need
from ...values.ops import Op
from ...values.union import SPREAD, UNKNOWN, Deferred, Host, Instance, Value
from ..index.answer import Answers
from ..index.handed_on import bound
from ..index.noted_index import NotedIndex
from ..resolving.passing import may_be
from ..resolving.questions import Questions
from .by_body import last_part

_Asked: TypeAlias = tuple[str, FunctionSummary, str, str]
"""A class, its constructor, one of its parameters, and what is wanted of that."""


class Held:
    """Follows what constructors are given for attributes, from one class to those that make its objects."""

    def __init__(self, index: NotedIndex, questions: Questions) -> None:
        self._index = index
        self._questions = questions
        self._known: Answers = {}

    def why_never(self, needs: Sequence[Need], owner: str) -> str:
        """Return why attributes are never what a place in a method needs them to be; empty if all may be.

        Of a library's classes others may make objects, and a program may set what is no constructor's parameter.
        """
        asked = [(name.removeprefix(OWN), wanted) for name, wanted in needs if name.startswith(OWN)]
        cls = owner.rpartition(".")[0]
        if not asked or not self._index.is_defined(cls) or not self._index.in_program(cls):
            return ""
        name = next((name for name, wanted in asked if not self._may_have(cls, name, wanted)), "")
        return f"no `{last_part(cls)}` that is made has a `{name}` with which this runs" if name else ""

    def _may_have(self, cls: str, name: str, wanted: str) -> bool:
        """Whether an attribute of some object of a class may be what is wanted."""
        if self._index.derived_with(cls, name):
            return True
        given = next(filter(None, (self._index.attributes(each, name) for each in self._index.bases(cls))), ())
        return not given or any(self._may_be_given(cls, each, wanted) for each in given)

    def _may_be_given(self, cls: str, bound_to: Value, wanted: str) -> bool:
        """Whether a call that makes an object of a class may pass what is wanted for a constructor's parameter."""
        found = self._index.parameters.get(bound_to) if isinstance(bound_to, Deferred) else None
        if found is None or not found[0].name.endswith(".__init__"):
            return True
        function, name = found
        key = ("given", cls, function.name, name, wanted)
        asked = (cls, function, name, wanted)
        may: bool = self._questions.remembered(key, self._step, asked, self._known, in_circle=True)
        return may

    def _step(self, asked: _Asked) -> bool:
        return self._questions.one_step_on(self._may_be_passed, asked, too_far=True)

    def _may_be_passed(self, asked: _Asked) -> bool:
        cls, function, name, wanted = asked
        self._index.function(function.name)  # noted: an answer that is kept depends on it
        sites = self._index.made_at(cls)
        for site in sites:
            passed = bound(function, site.positional, site.keywords)
            if SPREAD in passed or self._may_be(passed.get(name, function.defaults.get(name, UNKNOWN)), wanted):
                return True
        return not sites

    def _may_be(self, passed: Value, wanted: str) -> bool:
        match passed:
            case Host():
                return may_be(passed, wanted)
            case Deferred(Op.ATTRIBUTE, name, (Instance(cls), *_)):
                return self._may_have(cls, name, wanted)
            case Deferred(Op.PARAMETER) if (found := self._index.parameters.get(passed)) is not None:
                return self._may_be_given(found[0].name.rpartition(".")[0], passed, wanted)
        return True
