"""Answers what calls return: the project's functions for the caller's own arguments, methods, library objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ....declared import Declared
from ...library import named_tuples, objects
from ...library.calling import apply, named
from ...library.module_results import beside_inputs
from ...library.moves import moved
from ...library.world import World
from ...notes.summary import FunctionSummary
from ...values.arguments import Arguments, Keywords
from ...values.containers import element
from ...values.instances import is_one
from ...values.joining import join_all
from ...values.operators import METHODS
from ...values.union import AS_PARENT, NONE, UNKNOWN, Deferred, Instance, Value, options_of
from ..index.answer import CUT
from ..index.applied import gives_context
from ..index.noted_index import NotedIndex
from .frames import Frames
from .objects import Objects
from .passing import all_bound, fulfilled
from .questions import UNANSWERED, Questions
from .results import Results


class Calls(World):
    """Evaluates calls, each for its arguments; `resolve` resolves a value, `declared` knows some functions."""

    def __init__(
        self,
        index: NotedIndex,
        questions: Questions,
        frames: Frames,
        objects: Objects,
        resolve: Callable[[Value], Value],
        declared: Declared,
    ) -> None:
        self._index = index
        self._questions = questions
        self._frames = frames
        self._resolve = resolve
        self._results = Results()
        self._objects = objects
        self.declared = declared

    def of_any(self, callee: Value, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the result of calling whatever a value may be, None left aside."""
        options = (option for option in options_of(callee) if option != NONE)
        return join_all(apply(option, positional, keywords, self) for option in options)

    def of_method(self, name: str, base: Value, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the result of calling a method of whatever a value may be, as far as known."""
        options = (option for option in options_of(base) if option != NONE)
        found = (apply(self.attribute(option, name), positional, keywords, self) for option in options)
        return join_all(value for value in found if value is not UNKNOWN)

    def iterated(self, base: Instance) -> Value:
        """Return what a loop over an object of the project goes through, by its own methods."""
        if not self.owns(base.cls):
            return UNKNOWN
        for method in ("__next__", "__iter__"):
            if (found := self.of_method(method, base, (), ())) is not UNKNOWN:
                return found if method == "__next__" else UNKNOWN if is_one(found, base) else element(found)
        return UNKNOWN

    def operated(self, operator: str, left: Instance, right: Value) -> Value:
        """Return what an object of the project makes of an operator by a method of its own."""
        is_own = operator in METHODS and self.owns(left.cls)
        return self.of_method(METHODS[operator], left, (right,), ()) if is_own else UNKNOWN

    def attribute(self, base: Value, name: str) -> Value:
        """Return an attribute of a resolved value."""
        return self._objects.attribute(base, name)

    def owns(self, cls: str) -> bool:
        """Whether the project defines the class."""
        return self._objects.owns(cls)

    def kind(self, cls: str) -> str | None:
        """Return the kind of a class's instances: `module`, `metric` and so on."""
        return self._objects.kind(cls)

    def library_base(self, cls: str) -> str:
        """Return the class or its nearest base that belongs to a library."""
        return self._objects.library_base(cls)

    def member(self, base: Instance, name: str) -> Value | None:
        """Return what the project says about an attribute."""
        return self._objects.member(base, name)

    def missing(self, base: Instance, name: str) -> Value:
        """Return what derived classes have if the class lacks it."""
        return self._objects.missing(base, name)

    def given(self, receiver: Value | None, positional: tuple[Value, ...], keywords: Keywords) -> Arguments:
        """Return the arguments of a library function."""
        return Arguments(receiver, positional, keywords)

    def result(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value | None:
        """Return what the project's function, class or method by that name returns; None if there is none."""
        if fact := self.declared.move(name):
            return moved(fact, positional or tuple(value for _, value in keywords))
        function = self._index.callable(name)
        if function is not None and not function.name.endswith(".__init__"):
            last = function.name.rpartition(".")[2]
            if function.abstract and (found := self._overriding(last, positional, keywords)) is not UNKNOWN:
                return found
            if gives_context(name, function.name, self._index.canonical, self._index.callable):
                positional = (UNKNOWN, *positional)
            value = self._of_class(name, function, positional, self._returned(function, positional, keywords))
            return beside_inputs(value, positional, keywords) if self._is_of_module(name) else value
        if (known := self._index.class_named(name)) is not None:
            if known.bases == (named_tuples.MAKER,):
                return named_tuples.filled(known.fields, positional, keywords)
            return Instance(name, tuple((str(at), value) for at, value in enumerate(positional)) + keywords)
        cls, _, method = name.rpartition(".")
        if (constant := self._index.constant(owner := self._index.canonical(cls))) is not None:
            call = partial(self._of_constant, method, positional, keywords)
            return self._questions.once(("member", owner, method), call, constant, UNANSWERED)
        if self._index.class_named(cls) is not None and positional and isinstance(positional[0], Instance):
            return self._inherited(positional[0], method, positional[1:], keywords)
        return None

    def _is_of_module(self, name: str) -> bool:
        """Whether a call is one of a module: of the object itself, not of one of its methods."""
        cls, _, method = name.rpartition(".")
        return method == "__call__" and self.kind(cls) == "module"

    def _overriding(self, method: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return what the methods return that derived classes have in the place of one that does nothing."""
        match positional:
            case (Instance(cls, arguments), *rest) if arguments != AS_PARENT:
                owners = [
                    each for each in self._index.derived_with(cls, method) if self._index.has_method(each, method)
                ]
                found = (self.result(f"{each}.{method}", (Instance(each), *rest), keywords) for each in owners)
                return join_all([each for each in found if each is not None and each is not UNKNOWN])
        return UNKNOWN

    def _of_class(self, name: str, function: FunctionSummary, positional: tuple[Value, ...], value: Value) -> Value:
        """Return what a method returns; where that is its object, or what its class makes, of the class that has it."""
        defined_by = function.name.rpartition(".")[0]
        if not isinstance(value, Instance) or value.cls != defined_by:
            return value
        itself = positional[0] if positional and not function.static else None
        if not isinstance(itself, Instance):
            itself = Instance(self._index.canonical(name.rpartition(".")[0]))
        if defined_by not in self._index.bases(itself.cls):
            return value
        return replace(value, cls=itself.cls, device=value.device or itself.device)

    def unknown(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return Unknown: there are no more files to ask."""
        return UNKNOWN

    def construct(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return an instance of a class by its full name."""
        return named(name, positional, keywords, self)

    def ask(self, callee: Deferred, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return Unknown: what is called was asked for already."""
        return UNKNOWN

    def _of_constant(self, method: str, positional: tuple[Value, ...], keywords: Keywords, constant: Value) -> Value:
        """Return the result of calling a method of what a module binds to a name."""
        return apply(self.attribute(self._resolve(constant), method), positional, keywords, self)

    def _inherited(self, base: Instance, method: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        kind = self.kind(base.cls)
        arguments = Arguments(None, positional, keywords)
        if method == "__call__":
            return objects.called(base, kind, arguments)
        return objects.of_library_object(base, kind, method, arguments) if kind else UNKNOWN

    def _returned(self, function: FunctionSummary, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return what a function of the project returns for these arguments."""
        if self._frames.is_full:
            self._questions.belongs_to(CUT)
            return function.promised
        bindings = all_bound(function, positional, keywords)
        known = self._results.known(function.name, bindings, self._frames.depth)
        if known is None:
            answer = self._frames.result(function.name, bindings, partial(self._shown, function))
            known = self._results.remember(function.name, bindings, self._frames.depth, answer)
        value: Value = self._questions.recalled(known)
        return value

    def _shown(self, function: FunctionSummary) -> Value:
        return fulfilled(self._resolve(function.returns), function.promised)
