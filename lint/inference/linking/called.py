"""Answers what calls return: the project's functions for the caller's own arguments, methods, library objects."""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf
from functools import partial
from typing import NamedTuple

from ...facts import hidden_checks
from ..library import objects
from ..library.access import having
from ..library.calling import apply, named
from ..library.world import World
from ..notes.summary import FunctionSummary
from ..notes.watched import watched
from ..often import gates
from ..values.arguments import Arguments, Keywords
from ..values.joining import join_all
from ..values.tensors import common_device
from ..values.union import (
    NONE,
    UNKNOWN,
    Batch,
    Deferred,
    Function,
    Instance,
    Module,
    Tensor,
    Value,
    options_of,
)
from .object_attributes import ObjectAttributes
from .passing import all_bound, fulfilled
from .project_index import ProjectIndex
from .questions import CIRCLE, CUT, FAR, NOBODY, UNFINISHED

MOST_CALLS = 3
"""The maximum depth of calls for which a result is computed for the caller's own arguments."""


class _Result(NamedTuple):
    """The result of a call, and what it was not computed for (see `Answer.owners`)."""

    value: Value
    owners: frozenset[str]


class Called(ObjectAttributes, World):
    """The part of the resolver that evaluates calls, each for its arguments."""

    def __init__(self, index: ProjectIndex) -> None:
        super().__init__(index)
        self._results: dict[tuple[str, tuple[Value, ...], Keywords, int], _Result] = {}

    def _operands(self, term: Deferred) -> tuple[tuple[Value, ...], Keywords]:
        return tuple(map(self.resolve, term.operands)), tuple(
            (key, self.resolve(value)) for key, value in term.keywords
        )

    def method(self, term: Deferred) -> Value:
        (base, *positional), keywords = self._operands(term)
        options = (option for option in options_of(base) if option != NONE)
        found = [self.apply(self.attribute(option, term.name), tuple(positional), keywords) for option in options]
        known = [value for value in found if value is not UNKNOWN]
        return join_all(known) if known else _of_model(term.name, positional)

    def call(self, term: Deferred) -> Value:
        positional, keywords = self._operands(term)
        return self.call_named(term.name, positional, keywords)

    def call_value(self, term: Deferred) -> Value:
        (callee, *positional), keywords = self._operands(term)
        options = (option for option in options_of(callee) if option != NONE)
        found = join_all(self.apply(option, tuple(positional), keywords) for option in options)
        return _of_model(term.name, positional) if found is UNKNOWN else found

    def call_named(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the result of a function, class or method by its full name."""
        return named(name, positional, keywords, self)

    def apply(self, callee: Value, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the result of calling a resolved value."""
        return apply(callee, positional, keywords, self)

    def given(self, receiver: Value | None, positional: tuple[Value, ...], keywords: Keywords) -> Arguments:
        """Return the arguments of a library function."""
        return Arguments(receiver, positional, keywords)

    def result(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value | None:
        """Return what the project's function, class or method by that name returns; None if there is none."""
        function = self.index.callable(name)
        if function is not None and not function.name.endswith(".__init__"):
            return self._returned(function, positional, keywords)
        if self.index.class_named(name) is not None:
            return Instance(name, tuple((str(at), value) for at, value in enumerate(positional)) + keywords)
        cls, _, method = name.rpartition(".")
        if (constant := self.index.constants.get(owner := self.index.canonical(cls))) is not None:
            callee = partial(self._member_of, constant, method, positional, keywords)
            return self._once(("member", owner, method), callee, UNKNOWN)
        if self.index.class_named(cls) is not None and positional and isinstance(positional[0], Instance):
            return self._inherited(positional[0], method, positional[1:], keywords)
        return None

    def unknown(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return Unknown: there are no more files to ask."""
        return UNKNOWN

    def construct(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return an instance of a class by its full name."""
        return self.call_named(name, positional, keywords)

    def ask(self, callee: Deferred, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return Unknown: what is called was asked for already."""
        return UNKNOWN

    def _member_of(self, constant: Value, method: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the result of calling a method of what a module binds to a name."""
        return self.apply(self.attribute(self.resolve(constant), method), positional, keywords)

    def _inherited(self, base: Instance, method: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        kind = self.kind(base.cls)
        arguments = Arguments(None, positional, keywords)
        if method == "__call__":
            return objects.called(base, kind, arguments)
        return objects.of_library_object(base, kind, method, arguments) if kind else UNKNOWN

    def _returned(self, function: FunctionSummary, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return what a function of the project returns for these arguments."""
        if self._calls >= MOST_CALLS:
            self._owners |= {CUT}
            return function.promised
        key = function.name, positional, keywords, self._calls
        if (known := self._results.get(key)) is None:
            known = self._worked_out_call(function, positional, keywords)
            if CIRCLE not in known.owners and self._reaches == FAR:
                self._results[key] = known
        self._owners |= known.owners
        return known.value

    def _worked_out_call(self, function: FunctionSummary, positional: tuple[Value, ...], keywords: Keywords) -> _Result:
        outer = self._bindings, self._local, self._function, self._owners
        self._bindings, self._local = all_bound(function, positional, keywords), {}
        self._function, self._owners = function.name, NOBODY
        self._calls += 1
        try:
            value = fulfilled(self.resolve(function.returns), function.promised)
            return _Result(value, self._owners & UNFINISHED)
        finally:
            self._bindings, self._local, self._function, self._owners = outer
            self._calls -= 1

    def callee(self, name: str, receiver: Value) -> tuple[str | None, Value | None]:
        """Return the full name of a call recorded with an open receiver, and what the receiver is then.

        `?()` calls the receiver itself, `?.item` its method. The name is None if it is not a call to look at.
        """
        if name == "?()":
            for option in options_of(receiver):
                if isinstance(option, Function | Module) and watched().have(option.name):
                    return option.name, option.receiver if isinstance(option, Function) else None
            return next(filter(None, map(self._name_of_object, options_of(receiver))), None), receiver
        short = name.removeprefix("?.")
        receiver = having(receiver, short)
        names = (self._name_of_method(option, short) for option in options_of(receiver))
        return next(filter(None, names), name if receiver is UNKNOWN else None), receiver

    def _name_of_object(self, callee: Value) -> str | None:
        """Return the full name for calling a metric, or a module whose calls are looked at."""
        if isinstance(callee, Instance):
            if self.kind(callee.cls) == "metric":
                return f"{self.library_base(callee.cls)}.__call__"
            if hidden_checks.is_called(callee.cls):
                return f"{callee.cls}.__call__"
        return None

    def _name_of_method(self, receiver: Value, name: str) -> str | None:
        callee = self.attribute(receiver, name)
        if isinstance(callee, Function | Module):
            return callee.name
        return (
            f"{receiver.cls}.{name}" if isinstance(receiver, Instance) and receiver.cls.startswith("torch.") else None
        )


def _of_model(name: str, inputs: SequenceOf[Value]) -> Value:
    """Return the result of something otherwise unknown that is named like a model: tensors on its inputs' device.

    Inputs on the host tell nothing: a model that is spread across devices, or wrapped, moves them.
    """
    if not gates.names_model(name):
        return UNKNOWN
    device = common_device(value for value in inputs if isinstance(value, Tensor | Batch))
    given = any(isinstance(value, Tensor | Batch) for value in inputs)
    return Batch(device) if given and not device.on_cpu else UNKNOWN
