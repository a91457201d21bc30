"""Answers deferred terms, each once: what a question stands for, with every question inside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ..facts import naming
from .annotations import may_be_alias
from .joining import any_item, join_all
from .lattice import ANYWHERE, CPU, HOST, OPEN, Device
from .project_index import ProjectIndex
from .tensors import as_device, common_device, moved_to, operands_of
from .values import (
    UNKNOWN,
    Batch,
    Deferred,
    DeviceRef,
    Host,
    Instance,
    Module,
    OneOf,
    Sequence,
    Tensor,
    Value,
    device_of,
    options_of,
)

Bound = Mapping[Deferred, Value]

NAMED = frozenset(("parameter", "attribute", "name"))
"""Operations that are about something with a name of its own."""
NAME = re.compile(r"[:.]")


class Terms:
    """Answers terms and remembers the answers.

    While the result of one call is worked out, `_bindings` says what its parameters are, and answers are `_local`.
    """

    def __init__(self, index: ProjectIndex) -> None:
        self.index = index
        self._answers: dict[int, tuple[Value, Value]] = {}
        self._asking: set[int] = set()
        self._bindings: Bound | None = None
        self._local: dict[int, tuple[Value, Value]] = {}

    def resolve(self, value: Value) -> Value:
        """The value with every question in it answered; Unknown where nobody knows."""
        answer = RESOLVED.get(type(value))
        return value if answer is None else answer(self, value)

    def _tensor(self, value: Tensor) -> Tensor:
        return value if value.device.like is None else replace(value, device=self._device(value.device))

    def _batch(self, value: Batch) -> Batch:
        return value if value.device.like is None else replace(value, device=self._device(value.device))

    def _device_ref(self, value: DeviceRef) -> DeviceRef:
        return value if value.device.like is None else DeviceRef(self._device(value.device))

    def _module(self, value: Module) -> Value:
        """What a module is imported for: what another file binds to that name."""
        known = self.index.constants.get(self.index.canonical(value.name)) if "." in value.name else None
        return value if known is None else self.resolve(known)

    def _one_of(self, value: OneOf) -> Value:
        return join_all(map(self.resolve, value.options))

    def _object(self, value: Instance) -> Value:
        """The object with its device answered and, if it is torch's, what it was made with.

        Where the class turns out to be another name of some types, it is what they promise.
        """
        if may_be_alias(value.cls) and (types := self.index.aliases.get(self.index.canonical(value.cls))) is not None:
            return self.resolve(types)
        device = value.device if value.device is None else self._device(value.device)
        arguments = value.arguments
        if arguments and value.cls.startswith("torch."):
            arguments = tuple((name, self.resolve(argument)) for name, argument in arguments)
        return (
            value
            if device is value.device and arguments == value.arguments
            else replace(value, device=device, arguments=arguments)
        )

    def _device(self, device: Device) -> Device:
        """The device of the value that this one is like."""
        if device.like is None:
            return device
        like = self.resolve(device.like)
        while isinstance(like, Sequence):
            like = any_item(like)
        found = as_device(like) if _is_text(like) else device_of(like)
        if found is None and all(map(_is_data, options_of(like))):
            return HOST if device.why is None else Device(CPU, None, device.why)
        if found is None or found.like is not None:
            return Device(ANYWHERE, None, device.why)
        return found if found.why is not None else Device(found.flags, None, device.why)

    def _sequence(self, value: Sequence) -> Sequence:
        items = None if value.items is None else tuple(map(self.resolve, value.items))
        return Sequence(value.kind, items, self.resolve(value.element), value.keys)

    def _answer(self, term: Deferred) -> Value:
        """The answer to one question, by its `op`."""
        raise NotImplementedError

    def _term(self, term: Deferred) -> Value:
        answers = self._answers if self._bindings is None else self._local
        key = id(term)
        if (known := answers.get(key)) is not None:
            return known[1]
        if key in self._asking:
            return self.resolve(term.operands[1]) if term.op == "declared" else UNKNOWN
        self._asking.add(key)
        found = self._answer(term)
        if isinstance(found, Deferred | OneOf):
            found = self.resolve(found) if found is not term else UNKNOWN
        self._asking.discard(key)
        if found is UNKNOWN:
            found = self._by_use(term)
        elif isinstance(found, Batch) and (why := self.index.evidence.get(term)) is not None:
            found = Tensor(found.device, memory=found.memory, by_use=why)
        answers[key] = (term, found)
        return found

    def _by_use(self, term: Deferred) -> Value:
        """What a use of the value shows where nothing else is known."""
        moved = moved_to(term)
        device = None if moved is None else self._device(moved)
        if (why := self.index.evidence.get(term)) is not None:
            return Tensor(device or self._device_of_operands(term), by_use=why)
        if device is None and term.op in NAMED and NAME.split(term.name)[-1] in naming.DEVICE_NAMES:
            return DeviceRef(OPEN)
        return UNKNOWN if device is None else Batch(device)

    def _device_of_operands(self, term: Deferred) -> Device:
        """What an unknown function makes of tensors on the GPU is on the GPU, if it is a tensor."""
        if term.op not in ("call", "call_value"):
            return OPEN
        device = common_device(operands_of(map(self.resolve, term.operands)))
        return device if device.on_gpu else OPEN


def _is_text(value: Value) -> bool:
    """A text that is known, or the texts of which one may be given: they name devices."""
    return any(isinstance(option, Host) and isinstance(option.constant, str) for option in options_of(value))


def _is_data(value: Value) -> bool:
    """A value of the host that tensors are made of."""
    return isinstance(value, Host) and value.kind not in ("NoneType", "object", "str")


RESOLVED: dict[type, Callable[[Terms, Any], Value]] = {
    Deferred: Terms._term,
    Tensor: Terms._tensor,
    Batch: Terms._batch,
    DeviceRef: Terms._device_ref,
    Module: Terms._module,
    OneOf: Terms._one_of,
    Sequence: Terms._sequence,
    Instance: Terms._object,
}
"""What answers the questions inside a value; other kinds of values hold none."""
