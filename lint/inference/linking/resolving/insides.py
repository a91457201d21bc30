"""Resolves the questions inside values: what a device is like, the items of a container, alternatives, arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...library.promises import may_be_alias, of_class
from ...values.containers import index, unpack
from ...values.joining import any_item, join_all
from ...values.lattice import ANYWHERE, CPU, GPU, HOST, Device
from ...values.ops import Op
from ...values.placement import device_of
from ...values.tensors import as_device
from ...values.union import (
    IMPOSSIBLE,
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
    options_of,
)
from ..index.handed_on import bound
from ..index.noted_index import NotedIndex
from .otherwise import is_data
from .questions import UNANSWERED, Questions


class Insides:
    """Resolves what is inside of values that are no questions themselves."""

    def __init__(
        self,
        index: NotedIndex,
        questions: Questions,
        resolve: Callable[[Value], Value],
        is_bound: Callable[[Deferred], bool],
    ) -> None:
        self._index = index
        self._is_bound = is_bound
        self._questions = questions
        self._resolve = resolve
        self.kinds: dict[type, Callable[[Any], Value]] = {
            Tensor: self._tensor,
            Batch: self._batch,
            DeviceRef: self._device_ref,
            Module: self._module,
            OneOf: self._one_of,
            Sequence: self._sequence,
            Instance: self._object,
        }
        """What resolves the questions inside a value; other kinds of values contain none."""

    def device(self, device: Device) -> Device:
        """Return the device of the value that this one is like."""
        if device.like is None:
            return device
        like = self._resolve(device.like)
        while isinstance(like, Sequence):
            like = any_item(like)
        found = as_device(like) if _is_text(like) else device_of(_without_unknown(like))
        if device.on_cpu:  # unless a 0-dim tensor has met one on the GPU
            return found if found is not None and found.on_gpu else replace(device, like=None)
        if found is None and device.named and all(map(_is_index, options_of(like))):
            return Device(GPU, None, device.why)
        if found is None and all(map(is_data, options_of(like))):
            if self._is_told_by_default(device.like):
                return replace(device, like=None)
            return HOST if device.why is None else Device(CPU, None, device.why)
        by_default = "" if self._is_given(device) else device.host_for
        if found is None or found.like is not None:
            return Device(ANYWHERE, None, device.why, by_default)
        host_for = found.host_for or by_default if found.flags == ANYWHERE else ""
        return Device(found.flags, None, found.why or device.why, host_for)

    def origin(self, value: Value) -> Value:
        """Return how a function of the project makes what it returns, or a part of that, if it shows."""
        match value:
            case Deferred(op=Op.CALL, name=name) if (function := self._index.callable(name)) is not None:
                return function.returns
            case Deferred(op=Op.INDEX, operands=(whole, *indices)) if (made := self.origin(whole)) is not whole:
                return index(made, tuple(indices))
            case Deferred(op=Op.ITEM, name=name, operands=(whole,)) if (made := self.origin(whole)) is not whole:
                at, count = map(int, name.split("/"))
                return unpack(made, count)[at]
        return value

    def _is_told_by_default(self, like: Value) -> bool:
        """Whether only its default says that a parameter used as a tensor is a number: others may pass a tensor."""
        if not isinstance(like, Deferred) or self._is_bound(like) or (of := self._index.parameters.get(like)) is None:
            return False
        function, name = of
        if self._index.in_program(function.name) or self._index.are_calls_seen(function.name):
            return False
        return all(
            not site.passed and name not in bound(function, site.positional, site.keywords)
            for site in self._index.sites_of(function.name)
        )

    def _is_given(self, device: Device) -> bool:
        """Whether another device is passed here for each that is the CPU by default."""
        if not device.host_for or not isinstance(device.like, OneOf):
            return False
        given = [self._resolve(option) for option in device.like.options if isinstance(option, Deferred)]
        return bool(given) and all(isinstance(each, DeviceRef) and not each.device.host_for for each in given)

    def _tensor(self, value: Tensor) -> Tensor:
        return value if value.device.like is None else value.on(self.device(value.device))

    def _batch(self, value: Batch) -> Batch:
        return value if value.device.like is None else replace(value, device=self.device(value.device))

    def _device_ref(self, value: DeviceRef) -> DeviceRef:
        """Return the device of what this one is like, a torch.device if that is one."""
        if (like := value.device.like) is None:
            return value
        given = value if value.is_object else self._resolve(like)
        return DeviceRef(self.device(value.device), isinstance(given, DeviceRef) and given.is_object)

    def _module(self, value: Module) -> Value:
        """Return what a module is imported for: what another file binds to that name."""
        known = self._index.constant(name := self._index.canonical(value.name)) if "." in value.name else None
        itself: Value = value
        return value if known is None else self._questions.once(("module", name), self._resolve, known, itself)

    def _promised(self, cls: str) -> Value | None:
        """Return what the alias of types with that name promises; None for a class, whatever it is called here."""
        full = self._index.canonical(cls)
        if full == cls or may_be_alias(full):
            return self._index.alias(full)
        promised = of_class(full)
        return None if promised is UNKNOWN or isinstance(promised, Instance) else promised

    def _one_of(self, value: OneOf) -> Value:
        found = [*map(self._resolve, value.options)]
        return join_all([each for each in found if each != IMPOSSIBLE] or found)

    def _object(self, value: Instance) -> Value:
        """Return the instance with its device resolved and, if it is torch's or a distribution, its arguments.

        If the class turns out to be an alias of some types, return what they promise.
        """
        if may_be_alias(value.cls) and (types := self._promised(value.cls)) is not None:
            return self._questions.once(("alias", value.cls), self._resolve, types, UNANSWERED)
        device = value.device if value.device is None else self.device(value.device)
        arguments = value.arguments
        if arguments and (value.cls.startswith("torch.") or self._index.kind(value.cls) == "distribution"):
            arguments = tuple((name, self._resolve(argument)) for name, argument in arguments)
        return (
            value
            if device is value.device and arguments == value.arguments
            else replace(value, device=device, arguments=arguments)
        )

    def _sequence(self, value: Sequence) -> Sequence:
        items = None if value.items is None else tuple(map(self._resolve, value.items))
        return Sequence(value.kind, items, self._resolve(value.element), value.keys)


def _is_text(value: Value) -> bool:
    """Whether this is a known string, or one of several that may be given: they name devices."""
    return any(isinstance(option, Host) and isinstance(option.constant, str) for option in options_of(value))


def _without_unknown(like: Value) -> Value:
    """Return what is known of alternatives if that is a batch on the host, which is asked before it is moved."""
    if not isinstance(like, OneOf) or UNKNOWN not in like.options:
        return like
    known = [each for each in like.options if each is not UNKNOWN]
    return join_all(known) if all(isinstance(each, Batch) and each.device.on_cpu for each in known) else like


def _is_index(value: Value) -> bool:
    """Whether this is the index of a GPU, as in `x.to(rank)`, if it names a device."""
    return isinstance(value, Host) and value.kind == "int"
