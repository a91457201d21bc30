"""Resolves deferred terms: evaluates again, with what other functions and files say, what the interpreter left open."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..facts import libraries
from ..facts.signatures import lookup
from . import methods, results
from .access import attribute
from .index import ProjectIndex
from .lattice import ANYWHERE, HOST, OPEN, Device
from .results import Arguments, Keywords
from .summary import CallSite, FunctionSummary
from .tensors import binary, common_device, element, index, moved_to, operands_of, unary, unpack
from .values import (
    NONE,
    UNKNOWN,
    Batch,
    Class,
    Deferred,
    DeviceRef,
    Function,
    Host,
    Instance,
    Module,
    OneOf,
    Sequence,
    Tensor,
    Value,
    device_of,
    join_all,
    options_of,
)

MOST_CALLS = 3
"""How many calls deep a result is worked out for the caller's own arguments."""
MOST_SITES = 16
"""How many callers are asked what they pass."""

Bindings = Mapping[Deferred, Value]


class Resolver:
    """Answers terms, each once; `calls` counts the calls that the present answer is nested in."""

    def __init__(self, index: ProjectIndex) -> None:
        self.index = index
        self._answers: dict[int, tuple[Value, Value]] = {}
        self._asking: set[int] = set()
        self._bindings: Bindings | None = None
        self._local: dict[int, tuple[Value, Value]] = {}
        self._calls = 0

    def resolve(self, value: Value) -> Value:
        """The value with every question in it answered; Unknown where nobody knows."""
        match value:
            case Deferred():
                return self._term(value)
            case Tensor() if value.device.like is not None:
                return Tensor(self._device(value.device), value.dtype, value.rank, value.memory, value.by_use)
            case Batch() if value.device.like is not None:
                return Batch(self._device(value.device), value.memory)
            case DeviceRef() if value.device.like is not None:
                return DeviceRef(self._device(value.device))
            case OneOf():
                return join_all(self.resolve(option) for option in value.options)
            case Sequence():
                return self._sequence(value)
            case Instance() if value.device is not None and value.device.like is not None:
                return Instance(value.cls, value.arguments, self._device(value.device), value.made)
        return value

    def _device(self, device: Device) -> Device:
        """The device of the value that this one is like."""
        if device.like is None:
            return device
        like = self.resolve(device.like)
        found = device_of(like)
        if found is None and isinstance(like, Host) and like.kind not in ("NoneType", "object", "str"):
            return HOST
        if found is None or found.like is not None:
            return Device(ANYWHERE, None, device.why)
        return found if found.why is not None else Device(found.flags, None, device.why)

    def _sequence(self, value: Sequence) -> Sequence:
        items = None if value.items is None else tuple(map(self.resolve, value.items))
        return Sequence(value.kind, items, self.resolve(value.element), value.keys)

    # -- terms ---------------------------------------------------------------------------------------------------------

    def _term(self, term: Deferred) -> Value:
        answers = self._answers if self._bindings is None else self._local
        key = id(term)
        if (known := answers.get(key)) is not None:
            return known[1]
        if key in self._asking:
            return UNKNOWN
        self._asking.add(key)
        found = self._answer(term)
        if isinstance(found, Deferred | OneOf):
            found = self.resolve(found) if found is not term else UNKNOWN
        self._asking.discard(key)
        if found is UNKNOWN:
            found = self._by_use(term)
        answers[key] = (term, found)
        return found

    def _by_use(self, term: Deferred) -> Value:
        """What a use of the value shows where nothing else is known."""
        moved = moved_to(term)
        device = None if moved is None else self._device(moved)
        if (why := self.index.evidence.get(term)) is not None:
            return Tensor(device or self._device_of_operands(term), by_use=why)
        return UNKNOWN if device is None else Batch(device)

    def _device_of_operands(self, term: Deferred) -> Device:
        """What an unknown function makes of tensors on the GPU is on the GPU, if it is a tensor."""
        if term.op not in ("call", "call_value"):
            return OPEN
        device = common_device(operands_of(map(self.resolve, term.operands)))
        return device if device.on_gpu else OPEN

    def _answer(self, term: Deferred) -> Value:
        answer = ANSWERS.get(term.op)
        return answer(self, term) if answer else UNKNOWN

    def parameter(self, term: Deferred) -> Value:
        """What callers pass, else what the default says."""
        if self._bindings is not None and (bound := self._bindings.get(term)) is not None:
            return bound
        found = self.index.parameters.get(term)
        if found is None:
            return UNKNOWN
        function, name = found
        outer, self._bindings = self._bindings, None
        sites = [site for site in self.index.sites.get(function.name, ())[:MOST_SITES] if not site.passed]
        passed = [self._passed(site, function, name) for site in sites]
        self._bindings = outer
        known = [value for value in passed if value is not UNKNOWN]
        return _opened(join_all(known), function, name) if known else _unasked(function, name)

    def _passed(self, site: CallSite, function: FunctionSummary, name: str) -> Value:
        """What a call passes for a parameter, or the default that it leaves."""
        value = bound(function, site.positional, site.keywords).get(name)
        return function.defaults.get(name, UNKNOWN) if value is None else self.resolve(value)

    def attribute(self, term: Deferred) -> Value:
        base = self.resolve(term.operands[0])
        return join_all(self.attribute_of(option, term.name) for option in options_of(base) if option != NONE) if base is not NONE else UNKNOWN

    def attribute_of(self, base: Value, name: str) -> Value:
        """An attribute of a resolved value; of an object of the project through its class and bases."""
        if isinstance(base, Instance) and self.index.class_named(base.cls) is not None:
            return self._attribute_of_object(base, name)
        found = attribute(base, name)
        return UNKNOWN if isinstance(found, Deferred) else found

    def _attribute_of_object(self, base: Instance, name: str) -> Value:
        if (method := self.index.method(base.cls, name)) is not None:
            return Function(method) if self.index.functions[method].static else Function(method, base)
        if (passed := self._field(base, name)) is not UNKNOWN:
            return passed
        for cls in self.index.bases(base.cls):
            known = self.index.class_named(cls)
            if known is not None and name in known.attributes:
                return join_all(self.resolve(value) for value in known.attributes[name])
        kind = self.index.kind(base.cls)
        if name == "device" and kind in ("module", "lightning", "metric"):
            return DeviceRef(base.device or OPEN)
        if kind in libraries.MODULE_KINDS:
            return Function(f"torch.nn.Module.{name}", base) if name in methods.MODULE_METHODS else UNKNOWN
        if kind == "metric":
            return Function(f"{self.index.library_base(base.cls)}.{name}", base)
        return Function(f"{kind}.{name}", base) if kind == "optimizer" else UNKNOWN

    def _field(self, base: Instance, name: str) -> Value:
        """What the constructor's callers pass for a field of a data class."""
        known = self.index.class_named(base.cls)
        if name not in known.fields:
            return UNKNOWN
        at = known.fields.index(name)
        if base.arguments:
            return self.resolve(base.argument(name) or base.argument(str(at)) or UNKNOWN)
        passed = [dict(site.keywords).get(name) or (*site.positional, *[UNKNOWN] * (at + 1))[at + 1]
                  for site in self.index.sites.get(f"{base.cls}.__init__", ())]
        values = [self.resolve(value) for value in passed]
        return UNKNOWN if UNKNOWN in values else join_all(values)

    # -- calls ---------------------------------------------------------------------------------------------------------

    def _operands(self, term: Deferred) -> tuple[tuple[Value, ...], Keywords]:
        return tuple(map(self.resolve, term.operands)), tuple((key, self.resolve(value)) for key, value in term.keywords)

    def method(self, term: Deferred) -> Value:
        (base, *positional), keywords = self._operands(term)
        found = [
            self.apply(self.attribute_of(option, term.name), tuple(positional), keywords)
            for option in options_of(base)
            if option != NONE
        ]
        known = [value for value in found if value is not UNKNOWN]
        return join_all(known) if known else UNKNOWN

    def call(self, term: Deferred) -> Value:
        positional, keywords = self._operands(term)
        return self.call_named(term.name, positional, keywords)

    def call_value(self, term: Deferred) -> Value:
        (callee, *positional), keywords = self._operands(term)
        return join_all(self.apply(option, tuple(positional), keywords) for option in options_of(callee) if option != NONE)

    def call_named(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """The result of a function by its full name."""
        function = self.index.callable(name)
        if function is not None and not function.name.endswith(".__init__"):
            return self._returned(function, positional, keywords)
        if self.index.class_named(name) is not None:
            return Instance(name, tuple((str(at), value) for at, value in enumerate(positional)) + keywords)
        cls, _, method = name.rpartition(".")
        if self.index.class_named(cls) is not None and positional and isinstance(positional[0], Instance):
            return self._inherited(positional[0], method, positional[1:], keywords)
        value = results.call(name, Arguments(None, positional, keywords))
        return UNKNOWN if value is None else value

    def _inherited(self, base: Instance, method: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        kind = self.index.kind(base.cls)
        arguments = Arguments(None, positional, keywords)
        if method == "__call__":
            return methods.called(base, kind, arguments)
        return methods.of_library_object(base, kind, method, arguments) if kind else UNKNOWN

    def _returned(self, function: FunctionSummary, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """What a function of the project returns for these arguments."""
        if self._calls >= MOST_CALLS:
            return UNKNOWN
        values = bound(function, positional, keywords)
        outer = self._bindings, self._local
        self._bindings = {term: values.get(name, function.defaults.get(name, _unasked(function, name))) for name, term in function.terms.items()}
        self._local = {}
        self._calls += 1
        try:
            return self.resolve(function.returns)
        finally:
            self._bindings, self._local = outer
            self._calls -= 1

    def apply(self, callee: Value, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """The result of calling a resolved value."""
        match callee:
            case Function(name, None) | Module(name) | Class(name):
                return self.call_named(name, positional, keywords)
            case Function(name, receiver) if receiver is not None:
                return self._method_of(name, receiver, positional, keywords)
            case Instance() if self.index.class_named(callee.cls) is not None:
                return self.call_named(f"{callee.cls}.__call__", (callee, *positional), keywords)
            case Instance():
                return _library_object_called(callee, Arguments(None, positional, keywords))
            case Batch():
                return Batch(callee.device)
            case Host():
                return callee if callee.kind == "ndarray" else Host("object")
        return UNKNOWN

    def _method_of(self, name: str, receiver: Value, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        last = name.rpartition(".")[2]
        arguments = Arguments(receiver, positional, keywords)
        match receiver:
            case Tensor() | Batch() if name.startswith("torch.Tensor."):
                return results.method(last, receiver, arguments) or UNKNOWN
            case Batch():
                return methods.of_batch(receiver, last)
            case Sequence():
                return methods.of_sequence(receiver, last, arguments)
            case Instance() if name in self.index.functions:
                return self.call_named(name, (receiver, *positional), keywords)
            case Instance():
                kind = self.index.kind(receiver.cls)
                return methods.of_library_object(receiver, kind, last, arguments) if kind else UNKNOWN
        return UNKNOWN

    def name_of_call(self, name: str, receiver: Value) -> str | None:
        """The full name of a call that was written down with an open receiver; None where it is no call to look at."""
        short = name.removeprefix("?").removeprefix(".")
        for option in options_of(receiver):
            if short == "()":
                if isinstance(option, Instance) and self.index.kind(option.cls) == "metric":
                    return f"{self.index.library_base(option.cls)}.__call__"
                continue
            callee = self.attribute_of(option, short)
            if isinstance(callee, Function | Module):
                return callee.name
            if isinstance(option, Instance) and option.cls.startswith("torch."):
                return f"{option.cls}.{short}"
        return name if receiver is UNKNOWN and short != "()" else None

    # -- operators -----------------------------------------------------------------------------------------------------

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
            return methods.yielded_by(base, self.index.kind(base.cls))
        return element(base)

    def item(self, term: Deferred) -> Value:
        at = int(term.name)
        return unpack(self.resolve(term.operands[0]), at + 1 if not self._length(term) else self._length(term))[at]

    def _length(self, term: Deferred) -> int:
        base = self.resolve(term.operands[0])
        return len(base.items) if isinstance(base, Sequence) and base.items is not None and len(base.items) > int(term.name) else 0

    def without(self, term: Deferred) -> Value:
        value, *excluded = map(self.resolve, term.operands)
        rest = [option for option in options_of(value) if not any(type(option) is type(each) for each in excluded)]
        return join_all(rest) if rest else UNKNOWN


def _library_object_called(callee: Instance, arguments: Arguments) -> Value:
    kind = methods.kind_of(callee.cls)
    signature = lookup(callee.cls)
    if kind == "module" and signature is not None:
        value = results.of_signature(signature, arguments)
        if value is not None and value is not UNKNOWN:
            return value
    return methods.called(callee, kind, arguments)


def _unasked(function: FunctionSummary, name: str) -> Value:
    """What a parameter is when no caller is known: as declared, else of the default's kind."""
    declared = function.declared.get(name, UNKNOWN)
    default = function.defaults.get(name, UNKNOWN)
    if declared is UNKNOWN and isinstance(default, Host) and default != NONE:
        return Host(default.kind)
    return declared


def _opened(value: Value, function: FunctionSummary, name: str) -> Value:
    """What the callers seen here pass, for a function that others may call with a tensor or device of their own."""
    declared = function.declared.get(name, UNKNOWN)
    private = function.name.rpartition(".")[2].startswith("_") and not function.name.endswith("__")
    if private or not isinstance(value, Tensor | DeviceRef) or not value.device.on_cpu:
        return value
    return declared if isinstance(declared, Tensor | DeviceRef) else value


def bound(function: FunctionSummary, positional: tuple[Value, ...], keywords: Keywords) -> dict[str, Value]:
    """Which parameter gets which argument."""
    values = dict(zip(function.parameters, positional))
    values.update((key, value) for key, value in keywords)
    return values


ANSWERS: dict[str, Callable[[Resolver, Deferred], Value]] = {
    "parameter": Resolver.parameter,
    "attribute": Resolver.attribute,
    "method": Resolver.method,
    "call": Resolver.call,
    "call_value": Resolver.call_value,
    "binary": Resolver.binary,
    "unary": Resolver.unary,
    "index": Resolver.index_,
    "element": Resolver.element,
    "item": Resolver.item,
    "without": Resolver.without,
}
