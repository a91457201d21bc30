"""Joins of values where branches meet: a value that is one of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from ...facts.dtypes import counterparts
from ...limits import MOST_KINDS, MOST_OPTIONS
from .lattice import Device
from .module_lists import contents, with_contents
from .ops import Op
from .union import (
    UNKNOWN,
    Batch,
    Class,
    Deferred,
    DeviceRef,
    DTypeRef,
    Function,
    Host,
    Instance,
    Module,
    OneOf,
    Sequence,
    Tensor,
    Value,
    defer,
    options_of,
)


def join(a: Value, b: Value) -> Value:
    """Return what is known when a value is either of two."""
    if a is b:
        return a
    if isinstance(a, OneOf) or isinstance(b, OneOf):
        return join_all((*options_of(a), *options_of(b)))
    merged = _merge(a, b)
    return OneOf((a, b)) if merged is None else merged


def join_all(values: Iterable[Value]) -> Value:
    """Return what is known when a value is any of these; Unknown for none."""
    options: list[Value] = []
    apart = False
    for value in values:
        for option in value.options if type(value) is OneOf else (value,):
            for at, known in enumerate(options):
                if known is option:
                    break
                if (merged := _merge(known, option)) is not None:
                    if type(known) is Host and _overrule(known, option):
                        apart = True
                        continue
                    options[at] = merged
                    break
            else:
                options.append(option)
                if len(options) > MOST_OPTIONS and _are_too_many(options):
                    options = _of_any_length(_with_one_bool(options) if apart else options)
                    if _are_too_many(options):
                        (MOST_KINDS if len(options) > MOST_KINDS else MOST_OPTIONS).met()
                        return UNKNOWN
    if not options:
        return UNKNOWN
    if apart and not any(isinstance(each, Tensor | Batch | Deferred) for each in options):
        options = _with_one_bool(options)
    return options[0] if len(options) == 1 else OneOf(tuple(options))


def join_results(values: Iterable[Value]) -> Value:
    """Return what a function returns: truth values are written on ways of their own, and overrule no tensor there."""
    found = join_all(values)
    options = [*options_of(found)]
    return found if sum(map(_is_written, options)) < 2 else OneOf(tuple(_with_one_bool(options)))


def _overrule(a: Value, b: Value) -> bool:
    """Whether two different truth values are written: they overrule what a tensor tells, and neither is computed."""
    return _is_written(a) and _is_written(b) and a != b


def _is_written(value: Value) -> bool:
    return isinstance(value, Host) and value.kind == "bool" and value.constant is not ...


def _with_one_bool(options: list[Value]) -> list[Value]:
    """Return alternatives with one truth value for all that are written: which it is is not told any more."""
    return [*(each for each in options if not _is_written(each)), Host("bool")]


def _are_too_many(options: list[Value]) -> bool:
    kinds = sum(isinstance(each, Class | Function | Module | Instance) for each in options)
    return kinds > MOST_KINDS or len(options) - kinds > MOST_OPTIONS


def _of_any_length(options: list[Value]) -> list[Value]:
    """Return alternatives with one tuple for all: how long it is is not told any more."""
    tuples = [each for each in options if isinstance(each, Sequence) and each.kind == "tuple"]
    if len(tuples) < 2:
        return options
    each = join_all([any_item(one) for one in tuples if one.items is None or one.items])
    return [option for option in options if option not in tuples] + [Sequence("tuple", None, each)]


def either(a: Device, b: Device) -> Device:
    """Return the device of a value that is on one of two; if one is like another value, linking decides."""
    if (a.like is None and b.like is None) or a.like is b.like:
        return a.join(b)
    likes = (*_like(a), *_like(b))
    if MOST_OPTIONS.is_exceeded(len(likes)):
        return a.join(b)
    why = b.why if a.on_cpu else a.why if b.on_cpu else a.why or b.why
    named = all(each.named or each.like is None for each in (a, b))
    return Device(a.flags | b.flags, OneOf(likes), why, a.host_for_both(b), named)


def _like(device: Device) -> tuple[Value, ...]:
    """Return the values that a device is like; a known device is like a tensor on it."""
    return (Tensor(device),) if device.like is None else options_of(device.like)


def any_item(value: Sequence) -> Value:
    """Return what iterating over a sequence yields; for a dict its values."""
    if value.items is None:
        return value.element
    items = value.items if value.element is UNKNOWN else (*value.items, value.element)
    found = join_all(items)
    if found is UNKNOWN and any(isinstance(option, Deferred) for each in items for option in options_of(each)):
        return defer(Op.ELEMENT, "", (Sequence("tuple", items),))  # too many open questions, which may have few answers
    return found


def _merge(a: Value, b: Value) -> Value | None:
    """Return one value that stands for both, or None if they are too different."""
    kind = type(a)
    if kind is not type(b):
        if isinstance(a, Batch) and isinstance(b, Tensor):
            return Batch(either(a.device, b.device), a.memory | b.memory)
        return _merge(b, a) if kind is Tensor and isinstance(b, Batch) else None
    merge = _MERGES.get(kind)
    if merge is not None:
        return merge(a, b)
    return a if a == b else None


def _merge_tensors(a: Tensor, b: Tensor) -> Tensor:
    device = either(a.device, b.device)
    return Tensor(device, a.dtype | b.dtype, a.rank | b.rank, a.memory | b.memory, a.by_use or b.by_use)


def _merge_batches(a: Batch, b: Batch) -> Batch:
    source = a.source if a.source == b.source else None
    named = a.named if a.named == b.named else ""
    return Batch(either(a.device, b.device), a.memory | b.memory, source, named, a.computed and b.computed)


def _merge_hosts(a: Host, b: Host) -> Host | None:
    """Return equal constants as they are, otherwise the kind; None for different kinds.

    Of two device names `cuda` stays, since the program is meant for the GPU, and of two backends `nccl`.
    """
    if a.kind != b.kind:
        return None
    if a.constant == b.constant and type(a.constant) is type(b.constant):
        return a
    for one, other in ((a, b), (b, a)):
        if isinstance(one.constant, str) and one.constant.startswith("cuda") and other.constant == "cpu":
            return one
        if one.constant == "nccl" and isinstance(other.constant, str) and other.constant.endswith("gloo"):
            return one
        if isinstance(one.constant, str) and other.constant in counterparts(one.constant):
            return one
    return Host(a.kind)


def _merge_modules(a: Module, b: Module) -> Module | None:
    """Return the join of two modules: `torch.cuda.FloatTensor` in one branch is meant for the GPU, as with devices."""
    if a.name == b.name:
        return a
    return a if b.name in counterparts(a.name) else b if a.name in counterparts(b.name) else None


def _merge_devices(a: DeviceRef, b: DeviceRef) -> DeviceRef:
    """Return the join of two devices: `cuda` in one branch and `cpu` in the other is a program meant for the GPU.

    What is the CPU where no device is given is so by default.
    """
    is_object = a.is_object and b.is_object
    if a.device.on_gpu or b.device.on_gpu:
        return DeviceRef(a.device if a.device.on_gpu else b.device, is_object)
    found = either(a.device, b.device)
    hosts = [each.device for each in (a, b) if each.device.on_cpu or each.device.host_for]
    if hosts and not found.on_cpu:
        found = replace(found, host_for=hosts[0].host_for or "parameter")
    return DeviceRef(found, is_object)


def _merge_dtypes(a: DTypeRef, b: DTypeRef) -> DTypeRef:
    return DTypeRef(a.dtype | b.dtype)


def _merge_instances(a: Instance, b: Instance) -> Instance | None:
    if a.cls != b.cls:
        return None
    arguments = a.arguments if a.arguments == b.arguments else tuple(x for x in a.arguments if x in b.arguments)
    made = a.made if a.made == b.made else None
    if arguments != a.arguments and (one := contents(a)) and (other := contents(b)):
        held = _merge_sequences(one, other)
        arguments = arguments if held is None else with_contents(a, held).arguments
    if a.device is None or b.device is None:
        return Instance(a.cls, arguments, a.device or b.device, made)
    return Instance(a.cls, arguments, either(a.device, b.device), made)


def _merge_sequences(a: Sequence, b: Sequence) -> Sequence | None:
    if a.kind != b.kind:
        return None
    if a.items is not None and b.items is not None and len(a.items) == len(b.items) and a.keys == b.keys:
        return Sequence(a.kind, tuple(map(join, a.items, b.items)), join(a.element, b.element), a.keys)
    if (one := _record(a)) is not None and (other := _record(b)) is not None:
        items = {**one, **{key: join(one[key], item) if key in one else item for key, item in other.items()}}
        return Sequence(a.kind, tuple(items.values()), keys=tuple(items))
    if a.kind == "tuple" and a.items and b.items:
        return None
    known = [any_item(s) for s in (a, b) if s.items is None or s.items]
    return Sequence(a.kind, None, join_all(known))


def _record(value: Sequence) -> dict[object, Value] | None:
    """Return the values of a dict whose keys are all known."""
    if value.kind != "dict" or value.items is None or len(value.keys) != len(value.items):
        return None
    if value.element is not UNKNOWN:
        return None
    return dict(zip(value.keys, value.items))


def _merge_functions(a: Function, b: Function) -> Function | None:
    """Return equal functions; of the many that a program keeps under names, most differ in theirs."""
    return a if a.name == b.name and a.receiver == b.receiver else None


def _merge_questions(a: Deferred, b: Deferred) -> Deferred | None:
    """Return a question for itself and for what is left of its answer where a test fails.

    What only one branch moves to the GPU is there, since the program is meant for that.
    """
    for one, other in ((a, b), (b, a)):
        if other.op is Op.WITHOUT and other.operands[0] is one:
            return one
    start = _before_gpu(a)
    return None if start is not _before_gpu(b) else b if a is start else a


def _before_gpu(question: Deferred) -> Value:
    """Return what is moved to the GPU, if that is what the question is."""
    return question.operands[0] if question.op is Op.METHOD and question.name == "cuda" else question


_MERGES: Final[dict[type[Value], Callable[[Any, Any], Value | None]]] = {
    Tensor: _merge_tensors,
    Batch: _merge_batches,
    Host: _merge_hosts,
    DeviceRef: _merge_devices,
    DTypeRef: _merge_dtypes,
    Instance: _merge_instances,
    Module: _merge_modules,
    Sequence: _merge_sequences,
    Function: _merge_functions,
    Deferred: _merge_questions,
}
"""How two values of a kind become one; of other kinds, only equal ones do."""
