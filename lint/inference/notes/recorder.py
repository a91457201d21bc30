"""Records what the readers of one file see: operations, calls, evidence, and terms that are the same question."""

from __future__ import annotations

import ast
from sys import intern
from typing import Any, NamedTuple

from ...facts import hidden_checks
from ...facts.attributes import SHARED_WITH_MODULES
from ...facts.modules import BEFORE_A_CALL, SELF_METHODS
from ...files.source import Source
from ...finding import Reason, Span
from ...rule import OF_ANYTHING
from ..often.regions import Region
from ..values.ops import Op
from ..values.union import SPREAD, UNKNOWN, Deferred, Host, OneOf, Value
from .operations import Operation
from .origins import is_argument, is_given, is_like_argument, made_of_argument, source_of, whole_of
from .quotation import quotation
from .summary import IS_MODULE, MOVED, SCALES


class Emitted(NamedTuple):
    """An operation at a node, before the enclosing regions have been read to their ends.

    `quoted` is the expression whose source says most: the node itself, or one around it.
    """

    kind: type[Operation]
    node: ast.expr
    statement: ast.stmt
    region: Region
    scope: str
    operands: dict[str, Any]
    quoted: ast.expr


class NotedCall(NamedTuple):
    """A call, by the function `scope`, of a function that linking may know.

    `passed`: it is only handed on; `through`: the loop that goes through what it returns.
    """

    callee: str
    positional: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]
    region: Region
    scope: str
    passed: bool
    through: Region | None = None
    given: str = ""


class Way(NamedTuple):
    """A value that a branch gives, where paths meet; `regions` are those of the branch, the outermost first."""

    value: Value
    regions: tuple[Region, ...]


class Recorder:
    """The notes about one file; operations are keyed by node, so a second pass over a loop replaces the first.

    `computing` are the functions that were seen to compute on tensors they are given, `through` those that compute on
    what others make of what they are given; `as_arrays` the questions whose answers are used as NumPy arrays as they
    are, or moved to the GPU, `copied` those that are copied to the host, `modules` those that are answered by modules;
    `taken` has the first place in a function where `next` takes an item of what a call gives, by what that calls.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.calls_objects = any(word in source.text for word in hidden_checks.WORDS)
        self.operations: dict[tuple[int, str], Emitted] = {}
        self.calls: list[NotedCall] = []
        self.evidence: dict[Deferred, str] = {}
        self.computing: set[str] = set()
        self.through: dict[str, set[str]] = {}
        self.taken: dict[tuple[str, str], Region] = {}
        self.as_arrays: list[Deferred] = []
        self.copied: set[Deferred] = set()
        self.modules: set[Deferred] = set()
        self._rows: dict[int, dict[tuple[int, str], int]] = {}
        self._count = 0
        self._ways: dict[int, tuple[Value, tuple[Way, ...]]] = {}
        self._terms: dict[tuple[object, ...], Deferred] = {}
        self._reasons: dict[tuple[int, str], Reason] = {}
        self._constants: dict[tuple[type, object], Host] = {}

    def emit(
        self,
        kind: type[Operation],
        node: ast.expr,
        statement: ast.stmt,
        region: Region,
        scope: str,
        quoted: ast.expr | None = None,
        **operands: Any,
    ) -> None:
        """Record an operation at a node; its location and text are computed when the file is done."""
        key = (id(node), kind.__name__)
        if key not in self.operations:
            self._rows.setdefault(node.lineno, {})[key] = self._count = self._count + 1
        self.operations[key] = Emitted(kind, node, statement, region, scope, operands, quoted or node)

    def within(self, first: int, last: int) -> list[Emitted]:
        """Return the operations in some rows, in the order in which each was recorded first."""
        keys = {key: at for row in range(first, last + 1) for key, at in self._rows.get(row, {}).items()}
        return [self.operations[key] for key in sorted(keys, key=keys.__getitem__) if key in self.operations]

    def called(
        self,
        callee: str,
        positional: tuple[Value, ...],
        keywords: tuple[tuple[str, Value], ...],
        region: Region,
        scope: str,
        passed: bool = False,
        given: str = "",
    ) -> None:
        """Record that the function `scope` calls another, or passes it on."""
        self.calls.append(NotedCall(callee, positional, keywords, region, scope, passed, given=given))
        if not passed and (loop := region.nearest_loop()) is not None:
            loop.calls.append(callee)

    def mark_spread(self, first: int) -> None:
        """Mark the calls from one on, by its number, as giving more than is known."""
        spread = ((SPREAD, UNKNOWN),)
        self.calls[first:] = [each._replace(keywords=each.keywords + spread) for each in self.calls[first:]]

    def mark_through(self, first: int, loop: Region) -> None:
        """Mark the calls from one on, by its number, as giving what a loop goes through."""
        self.calls[first:] = [each._replace(through=loop) for each in self.calls[first:]]

    def called_on_anything(self, method: str, region: Region, scope: str) -> None:
        """Record that the function `scope` calls a method of an object of which nothing is known."""
        self.calls.append(NotedCall(f"{OF_ANYTHING}{method}", (), (), region, scope, False))

    def same(self, value: Value) -> Value:
        """Return the one object that stands for a deferred question, so that evidence for it is found again."""
        if not isinstance(value, Deferred):
            return OneOf(tuple(map(self.same, value.options))) if isinstance(value, OneOf) else value
        if value.op is Op.PARAMETER:
            return value
        key: tuple[object, ...] = (value.op, value.name, *map(_identity, value.operands))
        if value.keywords:
            key += tuple((name, _identity(each)) for name, each in value.keywords)
        return self._terms.setdefault(key, value)

    def constant(self, value: object) -> Host:
        """Return the one object that stands for a constant of the file, in which few stand alone."""
        key = type(value), value
        known = self._constants.get(key)
        if known is None:
            known = self._constants[key] = Host(intern(type(value).__name__), value)
        return known

    def saw_tensor(self, value: Value, why: str, scope: str) -> None:
        """Record that a use in the function `scope` proves that a deferred value is a tensor.

        So is what it was moved or cast from. If the value was passed to the function, or belongs to its object, the
        function computes on given tensors. Of several that it may be, only what tells that is recorded.
        """
        for option in value.options if isinstance(value, OneOf) else (value,):
            if maker := made_of_argument(option):
                self.through.setdefault(scope, set()).add(maker)
            if option is not value and is_like_argument(option):
                self.computing.add(scope)
        while isinstance(value, Deferred):
            self.evidence.setdefault(value, why)
            if (is_like_argument if scope.endswith(CONSTRUCTOR) else is_given)(value):
                self.computing.add(scope)
            if value.op is not Op.METHOD or value.name not in SHARED_WITH_MODULES:
                return
            value = self.same(value.operands[0])

    def saw_scaler(self, value: Value) -> None:
        """Record that a value scales losses or gradients, which is what gradient scalers do."""
        for option in value.options if isinstance(value, OneOf) else (value,):
            if isinstance(option, Deferred):
                self.evidence.setdefault(option, SCALES)

    def saw_gradient(self, scope: str) -> None:
        """Record that a function reads a gradient, which a backward pass leaves: a step gives it to the function."""
        self.computing.add(scope)

    def saw_array(self, value: Value) -> None:
        """Record that `.numpy()` is called on a value, which is an error unless it is on the host."""
        if (term := source_of(value)) is not None:
            self.as_arrays.append(term)

    def saw_moved(self, value: Value) -> None:
        """Record that a value is moved to the GPU from the host, and what a function has made it of is there, too.

        What a function is given may be anywhere: others call it with what is on the device already.
        """
        for option in value.options if isinstance(value, OneOf) else (value,):
            term = source_of(option)
            if term is None or is_argument(root := whole_of(term)):
                continue
            self.as_arrays.append(term)
            self.evidence.setdefault(term, MOVED)
            for each in root.operands if root.op is Op.CALL else ():
                self.saw_moved(each)

    def saw_called(self, value: Deferred) -> None:
        """Record that a value is called: what was moved before that is a module, and so is what is moved elsewhere."""
        if value.op is not Op.METHOD or value.name in BEFORE_A_CALL:
            self.saw_module(value)

    def saw_module(self, value: Value) -> None:
        """Record that a value is a module, as is what it was moved from: that is moved in place, once for all.

        So what moves it under its own name, time after time, tells nothing about where it was.
        """
        while isinstance(value, Deferred):
            self.modules.add(value)
            if value.op is not Op.METHOD or value.name not in SELF_METHODS:
                return
            value = self.same(value.operands[0])

    def settled(self, operands: dict[str, Any]) -> dict[str, Any]:
        """Return an operation's operands: what turns out to be a module is none of the data that a function moves."""
        match operands.get("receiver"):
            case Deferred(op=Op.HANDED, operands=(given, _)) if given in self.modules:
                return {**operands, "receiver": given}
        return operands

    def saw_copy(self, value: Value) -> None:
        """Record that a value is copied to the host, for which there is no need unless it may be on the device."""
        if (term := source_of(value)) is not None:
            self.copied.add(term)

    def on_host(self) -> tuple[Deferred, ...]:
        """Return the questions whose answers are on the host, as they are used as arrays or moved to the GPU."""
        return tuple(term for term in self.as_arrays if term not in self.copied and term not in self.modules)

    def proven(self) -> dict[Deferred, str]:
        """Return what proves of questions what their answers are."""
        for term in self.modules:
            if self.evidence.get(term, MOVED) == MOVED:
                self.evidence[term] = IS_MODULE
        return self.evidence

    def met(self, joined: Value, ways: tuple[Way, ...]) -> None:
        """Record which branches give what a value is where they meet: this very object."""
        self._ways[id(joined)] = joined, ways

    def ways_to(self, value: Value) -> tuple[Way, ...]:
        """Return the branches that gave what a value is; none if no paths met."""
        return self._ways[id(value)][1] if id(value) in self._ways else ()

    def reason(self, node: ast.expr | ast.stmt, message: str) -> Reason:
        """Return a reason at a node; the same object for the same node, so that values from two passes are equal."""
        key = (id(node), message)
        reason = self._reasons.get(key)
        if reason is None:
            reason = self._reasons[key] = Reason(message, self.span(node))
        return reason

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Return the location of the node."""
        return self.source.span(node)

    def text(self, node: ast.expr) -> str:
        """Return the node's source on one line, shortened."""
        return quotation(self.source.segment(node))


CONSTRUCTOR = ".__init__"


def _identity(value: Value) -> object:
    return ("constant", value.constant) if isinstance(value, Host) and value.constant is not ... else id(value)
