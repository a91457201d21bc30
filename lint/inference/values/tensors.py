"""How the devices, dtypes and ranks of operands determine those of a result: pure functions on values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, reduce
from operator import or_

from ...facts.devices import GPU_NAMES, TYPES
from ...finding import Reason
from .joining import either
from .lattice import (
    ANY_DTYPE,
    ANY_RANK,
    ANYWHERE,
    ARRAY,
    BOOL,
    CPU,
    DTYPE_NAMES,
    FLOAT,
    GPU,
    HOST,
    INT,
    OPEN,
    SCALAR,
    UINT8,
    Device,
    may_be_mask,
)
from .ops import Op
from .placement import device_of
from .union import (
    PACKED,
    UNKNOWN,
    Batch,
    Deferred,
    DeviceRef,
    Host,
    Module,
    OneOf,
    Sequence,
    Tensor,
    Value,
    defer,
    options_of,
)

ROUND = frozenset(("+", "-", "*", "//", "%"))
"""Operators that yield an integer for integers."""
WHOLE = Host("int")


def device_named(text: str, why: Reason | None = None) -> Device:
    """Return the device that a string such as `cuda:0` names; `meta` and the like count as the host."""
    return Device(GPU, None, why) if text.startswith(GPU_NAMES) else Device(CPU, None, why)


def type_of(value: DeviceRef) -> Value:
    """Return `device.type`: `cuda` stands for every GPU, and `cpu` for every other place."""
    if value.device.like is not None:
        return defer(Op.ATTRIBUTE, "type", (value,))
    return Host("str", "cuda" if value.device.on_gpu else "cpu") if value.device.flags in (CPU, GPU) else Host("str")


def as_device(value: Value | None, why: Reason | None = None) -> Device | None:
    """Return the device that a `device=` argument names, or None if it is not a device (a dtype, None)."""
    match value:
        case DeviceRef(device):
            return replace(device, why=why) if why else device
        case Host("str", str() as text):
            return device_named(text, why) if text.partition(":")[0] in TYPES else None
        case Host("int"):
            return Device(GPU, None, why)
        case Host("str"):
            return Device(ANYWHERE, None, why)
        case Tensor() | Batch():
            return value.device
        case Deferred():
            return Device(ANYWHERE, value, named=True)
        case Module(name) if "." in name and not name.startswith(("torch.", "numpy.")):
            return Device(ANYWHERE, value)
        case OneOf():
            found = (as_device(option, why) for option in value.options)
            named = [each for each in found if each is not None]
            on_gpu = [each for each in named if each.on_gpu]
            return on_gpu[0] if on_gpu else reduce(either, named) if named else None
        case _:
            return None


def is_opaque(value: Value | None) -> bool:
    """Whether the value may be a device for all that is known: nothing is, or only that it is an object."""
    return any(option is UNKNOWN or option == Host("object") for option in options_of(value)) if value else False


def moved_to(term: Deferred) -> Device | None:
    """Return the device in `.to(device)`, `.cuda()` or `.cpu()` of an open value; None if it is not such a term."""
    if term.op is not Op.METHOD:
        return None
    if term.name == "cpu":
        return HOST
    if term.name not in ("to", "cuda"):
        return None
    targets = [value for key, value in term.keywords if key == "device"] or list(term.operands[1:2])
    return as_device(targets[0]) if targets else None


def operands_of(values: Iterable[Value]) -> Iterator[Value]:
    """Yield the tensors, batches and open questions among arguments, including those in lists."""
    for value in values:
        match value:
            case Tensor() | Batch() | Deferred():
                yield value
            case OneOf():
                yield from _alternatives(list(operands_of(value.options)))
            case Sequence() if value.kind in ("list", "tuple"):
                yield from operands_of(value.items if value.items is not None else (value.element,))
            case Sequence(kind, (data, *_)) if kind == PACKED:
                yield from operands_of((data,))


def _alternatives(found: list[Value]) -> Iterator[Value]:
    """Yield one operand that stands for several alternatives of it, if one of them is a tensor, or all are batches."""
    are_batches = all(isinstance(value, Batch) for value in found)
    if len(found) < 2 or not (are_batches or any(isinstance(value, Tensor) for value in found)):
        yield from found
        return
    device = reduce(either, filter(None, map(device_of, found)))
    if are_batches:
        yield Batch(device)
        return
    tensors = [value for value in found if isinstance(value, Tensor)]
    if len(tensors) < len(found):
        yield Tensor(device)
        return
    dtype, rank = (reduce(or_, flags) for flags in zip(*((each.dtype, each.rank) for each in tensors)))
    yield Tensor(device, dtype, rank)


def is_size(value: Value) -> bool:
    """Whether this is a number: one of an open shape, or computed from such: `x.shape[0] // 2`."""
    match value:
        case Deferred(Op.INDEX, _, (Deferred(Op.ATTRIBUTE, "shape"), Host("int"))):
            return True
        case Deferred(Op.BINARY, _, operands):
            return all(map(is_size, operands))
    return isinstance(value, Host) and value.kind == "int"


def rank_of(value: Value) -> int:
    """Return the rank flags of an operand; host numbers count as 0-dimensional."""
    match value:
        case Tensor():
            return value.rank
        case Host("ndarray"):
            return ANY_RANK
        case Host():
            return SCALAR
        case Sequence():
            return ARRAY
        case _:
            return ANY_RANK


def dtype_of(value: Value) -> int:
    """Return the dtype flags of an operand."""
    match value:
        case Tensor():
            return value.dtype
        case Host("bool"):
            return BOOL
        case Host("int"):
            return INT
        case Host("float"):
            return FLOAT
        case Sequence():
            return _promoted((value.element,) if value.items is None else value.items)
        case OneOf():
            return reduce(or_, map(dtype_of, value.options))
        case _:
            return ANY_DTYPE


def is_whole(value: Value) -> bool:
    """Whether the value is, or is declared, an integer, as far as its operators tell."""
    match value:
        case Host():
            return value.kind == "int"
        case Deferred(op=Op.PARAMETER):
            return value.operands == (WHOLE,)
        case Deferred(op=Op.BINARY):
            return value.name in ROUND and all(map(is_whole, value.operands))
        case Deferred(op=Op.UNARY):
            return all(map(is_whole, value.operands))
    return False


def broadcast_rank(values: Iterable[Value]) -> int:
    """Return the rank of an element-wise result."""
    return reduce(_wider, map(rank_of, values), SCALAR)


def _wider(one: int, other: int) -> int:
    """Return the larger of two ranks, each of which may be one of several."""
    if one == other:
        return one
    least = max(one & -one, other & -other)
    return (one | other) & ~(least - 1)


def promoted_dtype(values: Iterable[Value]) -> int:
    """Return the dtypes that an element-wise result may have, by torch's promotion (bool < int < float < complex)."""
    return _promoted(value for value in values if not _is_option(value))


def _is_option(value: Value) -> bool:
    """Whether the argument is a string, a size or the like, which takes no part in dtype promotion."""
    return isinstance(value, Host) and value.kind not in ("bool", "int", "float", "complex", "ndarray")


def _promoted(values: Iterable[Value]) -> int:
    flags, is_scalar = 0, True
    for value in values:
        dtype, scalar = dtype_of(value), bool(rank_of(value) & SCALAR)
        flags = _promoted_pairs(flags, is_scalar, dtype, scalar) if flags else dtype
        is_scalar = is_scalar and scalar
    return flags or ANY_DTYPE


@cache
def _promoted_pairs(one: int, one_is_scalar: bool, other: int, other_is_scalar: bool) -> int:
    """Return the dtypes of a result for all that two operands may have."""
    pairs = ((a, b) for a in DTYPE_NAMES if one & a for b in DTYPE_NAMES if other & b)
    return reduce(or_, (_promoted_pair(a, one_is_scalar, b, other_is_scalar) for a, b in pairs), 0)


def _promoted_pair(a: int, a_is_scalar: bool, b: int, b_is_scalar: bool) -> int:
    """Return the higher category; an integer that is, or may be, a number leaves uint8 as it is."""
    if {a, b} != {INT, UINT8}:
        return max(a, b)
    return INT | UINT8 if (a_is_scalar if a == INT else b_is_scalar) else INT


def stored(value: Value) -> Value:
    """Return the value once it has a name, and may be changed before it is used."""
    return replace(value, maker="") if isinstance(value, Tensor) and value.maker else value


def as_mask(value: Value, why: str) -> Value:
    """Return what selects entries: a bool tensor, if it may be one."""
    match value:
        case Tensor() if may_be_mask(value.dtype):
            return replace(value, dtype=BOOL, by_use=value.by_use or why)
        case Batch():
            return Tensor(value.device, BOOL, ARRAY, value.memory, why)
    return Tensor(OPEN, BOOL, ARRAY, by_use=why) if value is UNKNOWN else value
