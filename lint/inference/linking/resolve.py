"""Resolves deferred terms: evaluates what the reader left open, with what other functions and files tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..library import objects
from ..library.annotations import like
from ..notes.summary import CallSite, FunctionSummary
from ..values.certainty import OBJECT
from ..values.containers import element, index, unpack
from ..values.joining import join_all
from ..values.lattice import ARRAY, BOOL, OPEN, may_be_mask
from ..values.operators import binary, unary
from ..values.union import UNKNOWN, Batch, Deferred, DTypeRef, Host, Instance, Sequence, Tensor, Value, options_of
from .called import Called
from .passing import as_declared, bound, opened, unasked

MOST_SITES = 16
"""How many callers are asked what they pass."""


class Resolver(Called):
    """Answers every kind of question that reading leaves open."""

    def _answer(self, term: Deferred) -> Value:
        answer = ANSWERS.get(term.op)
        return answer(self, term) if answer else UNKNOWN

    def parameter(self, term: Deferred) -> Value:
        """Return what callers pass, or else what the default tells."""
        found = self.index.parameters.get(term)
        if found is None:
            return UNKNOWN
        function, name = found
        self._owners |= {function.name}
        if self._bindings is not None and (given := self._bindings.get(term)) is not None:
            return given
        with self.outside():
            sites = [site for site in self.index.sites.get(function.name, ()) if not site.passed]
            passed = [self._passed(site, function, name) for site in sites[:MOST_SITES]]
        known = [value for value in passed if value is not UNKNOWN]
        if not known:
            return unasked(function, name)
        declared = self.resolve(function.declared.get(name, UNKNOWN))
        default = function.defaults.get(name, UNKNOWN)
        return as_declared(opened(join_all(known), function, declared), declared, default)

    def _passed(self, site: CallSite, function: FunctionSummary, name: str) -> Value:
        """Return what a call passes for a parameter, or the default if it passes nothing."""
        value = bound(function, site.positional, site.keywords).get(name)
        return function.defaults.get(name, UNKNOWN) if value is None else self.resolve(value)

    def binary(self, term: Deferred) -> Value:
        left, right = map(self.resolve, term.operands)
        found = binary(term.name, left, right)
        return UNKNOWN if isinstance(found, Deferred) else found

    def unary(self, term: Deferred) -> Value:
        return unary(term.name, self.resolve(term.operands[0]))

    def index_(self, term: Deferred) -> Value:
        base, *indices = map(self.resolve, term.operands)
        return index(base, tuple(indices))

    def element(self, term: Deferred) -> Value:
        base = self.resolve(term.operands[0])
        if isinstance(base, Instance):
            return objects.yielded_by(base, self.kind(base.cls))
        return element(base)

    def batch(self, term: Deferred) -> Value:
        """Return what a loop over a loader yields; if nothing else is known, what its name and the loop tell."""
        each, otherwise = term.operands
        found = self.resolve(each)
        return otherwise if found is UNKNOWN else found

    def declared(self, term: Deferred) -> Value:
        """Return a parameter annotated with a class; if that is an alias of tensors, on the device of the argument."""
        parameter, declared = term.operands
        found = self.resolve(declared)
        return self.resolve(like(found, parameter)) if isinstance(parameter, Deferred) and found != declared else found

    def mask(self, term: Deferred) -> Value:
        """Return what selects entries of a tensor and is named like a mask; bool if nothing else is known."""
        value, base = map(self.resolve, term.operands)
        if not any(isinstance(option, Tensor | Batch) for option in options_of(base)):
            return value
        why = f"it is named `{term.name}` and selects entries of a tensor"
        return join_all(_mask(option, why) for option in options_of(value))

    def data(self, term: Deferred) -> Value:
        """Return what a tensor is created from: a list is on the host, as the values of tensors in it are read.

        So is unknown data that is copied, since a tensor has `clone`.
        """
        return join_all(_data(option, bool(term.name)) for option in options_of(self.resolve(term.operands[0])))

    def target(self, term: Deferred) -> Value:
        """Return what `.to(target)` moves to: where the value is already if the target turns out to be a dtype."""
        target, now = map(self.resolve, term.operands)
        return now if isinstance(target, DTypeRef) else target

    def item(self, term: Deferred) -> Value:
        at, base = int(term.name), self.resolve(term.operands[0])
        known = len(base.items) if isinstance(base, Sequence) and base.items is not None else 0
        return unpack(base, max(known, at + 1))[at]

    def without(self, term: Deferred) -> Value:
        value, *excluded = map(self.resolve, term.operands)
        rest = [option for option in options_of(value) if not any(type(option) is type(each) for each in excluded)]
        return join_all(rest) if rest else UNKNOWN


def _data(value: Value, is_copied: bool) -> Value:
    if isinstance(value, Sequence):
        return Host("list")
    return Host("float") if is_copied and (value is UNKNOWN or value == OBJECT) else value


def _mask(value: Value, why: str) -> Value:
    match value:
        case Tensor() if may_be_mask(value.dtype):
            return replace(value, dtype=BOOL, by_use=value.by_use or why)
        case Batch():
            return Tensor(value.device, BOOL, ARRAY, value.memory, why)
    return Tensor(OPEN, BOOL, ARRAY, by_use=why) if value is UNKNOWN else value


ANSWERS: dict[str, Callable[[Resolver, Deferred], Value]] = {
    "parameter": Resolver.parameter,
    "attribute": Resolver.attribute_term,
    "method": Resolver.method,
    "call": Resolver.call,
    "call_value": Resolver.call_value,
    "binary": Resolver.binary,
    "unary": Resolver.unary,
    "index": Resolver.index_,
    "element": Resolver.element,
    "batch": Resolver.batch,
    "declared": Resolver.declared,
    "mask": Resolver.mask,
    "data": Resolver.data,
    "target": Resolver.target,
    "item": Resolver.item,
    "without": Resolver.without,
}
