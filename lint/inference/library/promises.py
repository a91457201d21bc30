"""What annotations promise, as values: of a class by its name, on the device of what is passed, tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from ...facts import libraries
from ...facts.typing_names import FORMS, NO_ALIASES, NUMBERS, PARAMETERS, PLAIN_TENSORS, TENSORS
from ..values.joining import join_all
from ..values.lattice import ANY_DTYPE, ANY_RANK, ANYWHERE, ARRAY, GPU, OPEN, Device
from ..values.ops import Op
from ..values.tensors import operands_of
from ..values.together import common_device
from ..values.union import (
    NONE,
    UNKNOWN,
    Deferred,
    DeviceRef,
    DTypeRef,
    Host,
    Instance,
    OneOf,
    Sequence,
    Tensor,
    Value,
    defer,
)
from .packing import ANY_PACKED, PACKED_SEQUENCE

CALLABLE: Final = "collections.abc.Callable"


def of_class(full: str) -> Value:
    """Return what a class promises by its full name: a tensor, a device, a host value, an instance."""
    if full in PLAIN_TENSORS:
        return Tensor(rank=ARRAY if full in PARAMETERS else ANY_RANK)
    if full in TENSORS:
        return Tensor(Device(GPU) if ".cuda." in full else OPEN, TENSORS[full])
    if full == PACKED_SEQUENCE:
        return ANY_PACKED
    if full == "torch.device":
        return DeviceRef(OPEN)
    if full == "torch.dtype":
        return DTypeRef(ANY_DTYPE)
    if full == "torch.Size":
        return Host("Size")
    if full in NUMBERS:
        return join_all(map(Host, NUMBERS[full]))
    if full in FORMS:
        return UNKNOWN
    root = full.partition(".")[0]
    if root in ("numpy", "np") and full.endswith(("ndarray", "ArrayLike", "NDArray")):
        return Host("ndarray")
    if root in ("numpy", "pandas", "PIL", "pathlib", "argparse", "logging", "datetime"):
        return Host("object")
    if full.endswith((".Tensor", ".FloatTensor", ".LongTensor")) and root not in ("tensorflow", "tf", "jax", "paddle"):
        return Tensor()
    last = full.rpartition(".")[2]
    return (
        Instance(full)
        if last[:1].isupper() and last not in ("Any", "Callable", "Type", "Union", "Optional")
        else UNKNOWN
    )


def like(declared: Value, term: Deferred, is_settled: Callable[[str], bool] = lambda _: False) -> Value:
    """Return a parameter's declared value: its tensors are on the device of whatever the caller passes.

    `is_settled` tells of a class whether its objects are what they are declared to be, whoever passes them.
    """
    match declared:
        case Tensor() if declared.device == OPEN:
            return declared.on(Device(ANYWHERE, term))
        case DeviceRef() if declared.device == OPEN:
            return DeviceRef(Device(ANYWHERE, term))
        case Instance(cls) if not is_settled(cls) and may_be_alias(cls):
            return defer(Op.DECLARED, cls, (term, declared))
        case OneOf():
            return _alternatives_like(declared, term, is_settled)
        case Sequence() if declared.kind != "slice":
            inner = like(declared.element, term, is_settled)
            items = None if declared.items is None else tuple(like(item, term, is_settled) for item in declared.items)
            if inner is declared.element and items == declared.items:
                return declared
            return Sequence(declared.kind, items, inner, declared.keys)
    return declared


def _alternatives_like(declared: OneOf, term: Deferred, is_settled: Callable[[str], bool]) -> Value:
    """Return alternatives where a string or number may name a device; next to a tensor, other classes are kept."""
    has_device = any(isinstance(option, DeviceRef) for option in declared.options)
    has_tensor = any(isinstance(option, Tensor) for option in declared.options)
    return join_all(
        option if has_tensor and isinstance(option, Instance) else like(option, term, is_settled)
        for option in declared.options
        if not (has_device and isinstance(option, Host) and option.kind in ("str", "int"))
    )


def may_be_alias(cls: str) -> bool:
    """Whether the class is defined in another file, where its name may be an alias of other types."""
    root = cls.partition(".")[0]
    return root != cls and root not in NO_ALIASES and libraries.class_kind(cls) is None


def returning(promised: Value) -> Value:
    """Return what is promised to be called, and to return tensors; Unknown if it returns anything else."""
    return Instance(CALLABLE, (("", promised),)) if tensors_of(promised) is not UNKNOWN else UNKNOWN


def returned(called: Instance, given: Iterable[Value]) -> Value:
    """Return the promised result: tensors on the device of those that are given, if any are."""
    operands = list(operands_of(given))
    device = common_device(operands) if operands else OPEN
    return _placed(called.argument("") or UNKNOWN, device)


def _placed(promised: Value, device: Device) -> Value:
    match promised:
        case Tensor() if promised.device == OPEN:
            return promised.on(device)
        case Sequence(items=tuple() as items):
            return replace(promised, items=tuple(_placed(each, device) for each in items))
        case Sequence():
            return replace(promised, element=_placed(promised.element, device))
    return promised


def is_open(promised: Value) -> bool:
    """Whether callers tell more than a promise: of a function, a distribution, or a container of unknown things."""
    match promised:
        case Instance(cls):
            return cls == CALLABLE or libraries.class_kind(cls) == "distribution"
        case Sequence(items=None):
            return is_open(promised.element)
        case Sequence(items=tuple() as items):
            return promised.kind == "tuple" and all(map(is_open, items))
    return promised is UNKNOWN


def tensors_of(promised: Value) -> Value:
    """Return a promised value that is or contains tensors, or may be None; Unknown for anything else."""
    match promised:
        case OneOf(options):
            return promised if all(each == NONE or tensors_of(each) is not UNKNOWN for each in options) else UNKNOWN
        case Tensor():
            return promised
        case Sequence():
            held = promised.items or (promised.element,)
            return promised if any(tensors_of(each) is not UNKNOWN for each in held) else UNKNOWN
    return UNKNOWN
