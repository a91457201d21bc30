"""Answers every kind of question that reading leaves open, with what other functions and files tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ....facts.libraries import METRIC_KINDS
from ....limits import MOST_CALLERS, MOST_IDLE
from ...library.accelerators import handed_to
from ...library.calling import named
from ...library.collating import BY_DEFAULT, collated
from ...library.objects import yielded_by
from ...library.promises import like
from ...notes.summary import CallSite, FunctionSummary
from ...often.names import names_model
from ...values.arguments import Keywords
from ...values.containers import element, unpack
from ...values.instances import is_one
from ...values.joining import join_all
from ...values.operators import binary, unary
from ...values.ops import ENTER, Op
from ...values.placement import anywhere
from ...values.tensors import as_device, as_mask, stored
from ...values.together import common_device
from ...values.union import (
    IMPOSSIBLE,
    SPREAD,
    UNKNOWN,
    Batch,
    Deferred,
    DeviceRef,
    DTypeRef,
    Host,
    Instance,
    Tensor,
    Value,
    options_of,
)
from ..index.handed_on import bound
from ..index.noted_index import NotedIndex
from .calls import Calls
from .frames import Frames
from .objects import Objects
from .otherwise import of_data, of_model, of_moved
from .passing import as_declared, is_host_for, is_made_elsewhere, is_number, opened, tries, unasked
from .questions import Questions


class Asked:
    """Answers a term by its operator; `resolve` resolves a value."""

    def __init__(
        self,
        index: NotedIndex,
        questions: Questions,
        frames: Frames,
        objects: Objects,
        calls: Calls,
        resolve: Callable[[Value], Value],
    ) -> None:
        self._index = index
        self._questions = questions
        self._frames = frames
        self._objects = objects
        self._calls = calls
        self._resolve = resolve

    def answer(self, term: Deferred) -> Value:
        """Return the answer to a question; Unknown if nobody knows."""
        answer = ANSWERS.get(term.op)
        return answer(self, term) if answer else UNKNOWN

    def so_far(self, term: Deferred) -> Value:
        """Return what is known about a question while it is being answered: an answer that depends on itself."""
        match term:
            case Deferred(op=Op.DECLARED):
                return self._resolve(term.operands[1])
            case Deferred(op=Op.ATTRIBUTE, name=name, operands=(Instance() as base, *_)):
                return self._objects.so_far(base, name)
        return UNKNOWN

    def parameter(self, term: Deferred) -> Value:
        """Return what callers pass, or else what the default tells; a metric gathers on its device by default."""
        found = self._index.parameters.get(term)
        given = UNKNOWN if found is None else self._parameter(term, found)
        if found is None or not isinstance(given, DeviceRef) or not given.device.host_for:
            return given
        is_of_metric = self._objects.kind(found[0].name.rpartition(".")[0]) in METRIC_KINDS
        return replace(given, device=replace(given.device, host_for="metric")) if is_of_metric else given

    def _parameter(self, term: Deferred, found: tuple[FunctionSummary, str]) -> Value:
        function, name = found
        self._index.function(function.name)  # noted: an answer that is kept depends on it
        self._questions.belongs_to(frozenset((function.name,)))
        if (given := self._frames.bound(term)) is not None:
            return given
        passed = self._frames.outside(self._passed_by_all, found)
        known = [value for value in passed if value is not UNKNOWN]
        if (handed := self._handed_in(function, name)) is not UNKNOWN:
            return join_all((handed, *known))  # an override that calls `super()` hands on what the framework gave it
        if not known:
            return UNKNOWN if term in self._index.evidence and is_number(function, name) else unasked(function, name)
        declared = self._resolve(function.declared.get(name, UNKNOWN))
        default = function.defaults.get(name, UNKNOWN)
        given = join_all(known)
        others = opened(given, function, declared, self._index.in_program(function.name))
        is_all = others == given or self._index.is_inner(function.name) or self._is_host(function, name)
        return as_declared(given if is_all else others, declared, default)

    def _is_host(self, function: FunctionSummary, name: str) -> bool:
        return is_host_for(self._sites(function), function, name)

    def _handed_in(self, function: FunctionSummary, name: str) -> Value:
        """Return what a framework passes for a parameter of a method that it calls."""
        cls, _, method = function.name.rpartition(".")
        return handed_to(self._objects.kind(cls), method, function.parameters, name) if cls else UNKNOWN

    def _passed_by_all(self, parameter: tuple[FunctionSummary, str]) -> list[Value]:
        """Return what each call passes for a parameter of a function."""
        function, name = parameter
        sites = self._sites(function)
        if name == function.extra and any(SPREAD in dict(site.keywords) for site in sites):
            return []
        passed = [self._passed(site, function, name) for site in sites]
        if any(map(tries, sites)) and is_made_elsewhere(function, self._index):
            passed = [anywhere(value) if tries(site) else value for site, value in zip(sites, passed)]
        if Host not in (kinds := set(map(type, passed))) or len(kinds) == 1:
            return passed
        return [value for site, value in zip(sites, passed) if not self._is_idle(site.caller, MOST_IDLE)] or passed

    def _sites(self, function: FunctionSummary) -> tuple[CallSite, ...]:
        return MOST_CALLERS.first(tuple(site for site in self._index.sites_of(function.name) if not site.passed))

    def _is_idle(self, function: str, depth: int) -> bool:
        """Whether nothing in the program runs a function, nor those that alone call it."""
        if self._index.why_unused(function):
            return True
        if not depth or not self._index.are_calls_seen(function):
            return False
        sites = self._index.sites_of(function)
        return bool(sites) and all(self._is_idle(site.caller, depth - 1) for site in sites)

    def _passed(self, site: CallSite, function: FunctionSummary, name: str) -> Value:
        """Return what a call passes for a parameter, or the default if it passes nothing."""
        value = bound(function, self._objects.given(site, function), site.keywords).get(name)
        return function.defaults.get(name, UNKNOWN) if value is None else self._resolve(stored(value))

    def attribute(self, term: Deferred) -> Value:
        """Return an attribute; that of a model of which only a move is known may be anything: `model.width`."""
        of, base = term.operands[0], self._resolve(term.operands[0])
        is_model = isinstance(of, Deferred) and of.op is Op.PARAMETER and names_model(of.name.rpartition(":")[2])
        return UNKNOWN if is_model and isinstance(base, Batch) else self._objects.of(base, term.name)

    def method(self, term: Deferred) -> Value:
        found = self._called(term, partial(self._calls.of_method, term.name))
        return self._resolve(term.operands[0]) if found is UNKNOWN and term.name == ENTER else found

    def call(self, term: Deferred) -> Value:
        return named(term.name, *self._operands(term), self._calls)

    def call_value(self, term: Deferred) -> Value:
        return self._called(term, self._calls.of_any)

    def _called(self, term: Deferred, call: Callable[[Value, tuple[Value, ...], Keywords], Value]) -> Value:
        """Return the result of a call; if of something unknown, its arguments are not asked for: they may lead back."""
        callee = self._resolve(term.operands[0])
        if callee is UNKNOWN and not names_model(term.name):
            return UNKNOWN
        (_, *positional), keywords = self._operands(term)
        found = call(callee, tuple(positional), keywords)
        return of_model(term.name, positional) if found is UNKNOWN else found

    def _operands(self, term: Deferred) -> tuple[tuple[Value, ...], Keywords]:
        positional = tuple(map(self._resolve, term.operands))
        return positional, tuple((key, self._resolve(value)) for key, value in term.keywords)

    def binary(self, term: Deferred) -> Value:
        left, right = map(self._resolve, term.operands)
        if isinstance(left, Instance) and (found := self._calls.operated(term.name, left, right)) is not UNKNOWN:
            return found
        found = binary(term.name, left, right)
        return UNKNOWN if isinstance(found, Deferred) else found

    def unary(self, term: Deferred) -> Value:
        return unary(term.name, self._resolve(term.operands[0]))

    def index_(self, term: Deferred) -> Value:
        base, *indices = map(self._resolve, term.operands)
        return self._objects.item(term.operands[0], base, tuple(indices))

    def element(self, term: Deferred) -> Value:
        base = self._resolve(term.operands[0])
        if isinstance(base, Instance):
            found = self._resolve(yielded_by(base, self._objects.kind(base.cls)))
            return self._calls.iterated(base) if found is UNKNOWN else found
        return element(base)

    def collated(self, term: Deferred) -> Value:
        made, batch = term.operands
        assert isinstance(batch, Batch)
        return collated(self._resolve(made), batch, term.name == BY_DEFAULT)

    def told(self, term: Deferred) -> Value:
        """Return what a loop over a loader yields, or a name is bound to; what their names tell if nothing is known."""
        value, otherwise = term.operands
        found = self._resolve(value)
        return otherwise if found is UNKNOWN else found

    def handed(self, term: Deferred) -> Value:
        """Return what a function moves to the device of what it is given: on the host, unless it is known where.

        A function that is named must train on it.
        """
        given, on_host = term.operands
        function = self._index.function(term.name) if term.name else None
        found = self._resolve(given)
        return of_moved(found, on_host) if function is None or function.training else found

    def declared(self, term: Deferred) -> Value:
        """Return a parameter annotated with a class, or an alias of tensors; of what is moved loaders tell more."""
        parameter, declared, *documented = term.operands
        found = self._resolve(declared)
        if documented and self._index.class_named(term.name) is None:
            return self._resolve(parameter)
        if isinstance(parameter, Deferred) and found != declared:
            return self._resolve(like(found, parameter))
        if isinstance(found, Instance) and self._index.method(found.cls, "to") is not None:
            return given if isinstance(given := self._resolve(parameter), Batch) else found
        return found

    def mask(self, term: Deferred) -> Value:
        """Return what selects entries of a tensor and is named or made like a mask; bool if nothing else is known."""
        value, base = map(self._resolve, term.operands)
        if not any(isinstance(option, Tensor | Batch) for option in options_of(base)):
            return value
        why = f"it is {term.name} and selects entries of a tensor"
        return join_all(as_mask(option, why) for option in options_of(value))

    def data(self, term: Deferred) -> Value:
        """Return what a tensor is created from, which is copied or not."""
        return of_data(options_of(self._resolve(term.operands[0])), bool(term.name))

    def global_(self, term: Deferred) -> Value:
        """Return what functions bind a name of their module to."""
        known = self._index.constant(term.name) if "." in term.name else None
        return UNKNOWN if known is None else self._resolve(known)

    def together(self, term: Deferred) -> Value:
        """Return a tensor on the device of several operands: of an operator, say."""
        return Tensor(common_device(map(self._resolve, term.operands)))

    def target(self, term: Deferred) -> Value:
        """Return what `.to(target)` moves to: where the value is already if the target turns out to be a dtype."""
        target, now = map(self._resolve, term.operands)
        device = as_device(target)
        return now if isinstance(target, DTypeRef) else target if device is None else DeviceRef(device)

    def item(self, term: Deferred) -> Value:
        at, count = map(int, term.name.split("/"))
        return unpack(self._resolve(term.operands[0]), count)[at]

    def without(self, term: Deferred) -> Value:
        value, *excluded = map(self._resolve, term.operands)
        rest = [option for option in options_of(value) if not any(is_one(option, each) for each in excluded)]
        return join_all(rest) if rest else IMPOSSIBLE


ANSWERS: dict[Op, Callable[[Asked, Deferred], Value]] = {
    Op.PARAMETER: Asked.parameter,
    Op.ATTRIBUTE: Asked.attribute,
    Op.METHOD: Asked.method,
    Op.CALL: Asked.call,
    Op.CALL_VALUE: Asked.call_value,
    Op.BINARY: Asked.binary,
    Op.UNARY: Asked.unary,
    Op.INDEX: Asked.index_,
    Op.ELEMENT: Asked.element,
    Op.BATCH: Asked.told,
    Op.BOUND: Asked.told,
    Op.COLLATED: Asked.collated,
    Op.HANDED: Asked.handed,
    Op.DECLARED: Asked.declared,
    Op.MASK: Asked.mask,
    Op.DATA: Asked.data,
    Op.NAME: Asked.global_,
    Op.TOGETHER: Asked.together,
    Op.TARGET: Asked.target,
    Op.ITEM: Asked.item,
    Op.WITHOUT: Asked.without,
}
