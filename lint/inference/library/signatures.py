"""The result of a call by its row in the table of signatures: RESULT DEVICE DTYPE RANK become a value."""

from __future__ import annotations

from collections.abc import Iterator

from ...facts.signatures import WIDENING, Signature
from ..values.arguments import Arguments
from ..values.containers import is_position
from ..values.lattice import (
    ANY_DTYPE,
    ANY_RANK,
    ANYWHERE,
    ARRAY,
    BOOL,
    COMPLEX,
    CPU,
    FLOAT,
    GPU,
    INT,
    OPEN,
    SCALAR,
    UINT8,
    Device,
    rank_flags,
    shifted,
)
from ..values.ops import Op
from ..values.placement import device_of
from ..values.tensors import (
    as_device,
    broadcast_rank,
    dtype_of,
    is_opaque,
    is_size,
    is_whole,
    operands_of,
    promoted_dtype,
    rank_of,
)
from ..values.together import common_device
from ..values.union import NONE, UNKNOWN, Deferred, DeviceRef, DTypeRef, Host, Sequence, Tensor, Value, defer

RULES = {
    "bool": BOOL, "int64": INT, "int32": INT, "int": INT, "uint8": UINT8, "float": FLOAT, "real": FLOAT,
    "complex": COMPLEX,
}  # fmt: skip
"""DTYPE words that name the dtype themselves (see `facts.signatures`)."""


def plain(kind: str) -> Value:
    """Return the host value for a result word of a table."""
    match kind:
        case "NoneType" | "none":
            return NONE
        case "size":
            return Host("Size")
        case "numpy":
            return Host("ndarray")
        case "number":
            return Host("float")
        case "dtype":
            return DTypeRef(ANY_DTYPE)
        case "device":
            return DeviceRef(OPEN, is_object=True)
        case _:
            return Host(kind)


def of_signature(signature: Signature, arguments: Arguments) -> Value | None:
    """Return the result of a function or method with this signature."""
    numbers = [at for at, value in enumerate(arguments.positional) if isinstance(value, Host) and value.kind == "int"]
    arguments.names = signature.argument_names(len(arguments.positional), numbers)
    result = signature.result_for(arguments.given()) if signature.is_overloaded else signature.result
    operands = list(operands_of(arguments.all()))
    word, _, count = result.partition(":")
    match word:
        case "self":
            return arguments.first()
        case "tensor":
            return _tensor(signature, 0, operands, arguments)
        case "tensors":
            return Sequence("tuple", None, _tensor(signature, 0, operands, arguments))
        case "tuple":
            return Sequence("tuple", tuple(_tensor(signature, at, operands, arguments) for at in range(int(count))))
        case "nested":
            state = _tensor(signature, 1, operands, arguments)
            return Sequence("tuple", (_tensor(signature, 0, operands, arguments), Sequence("tuple", (state, state))))
        case "list":
            return Sequence("list", None, _number(arguments.first()))
        case "number":
            return _number(arguments.first())
        case "other":
            return UNKNOWN
        case "open":
            return None
    return plain(result)


def _number(source: Value) -> Host:
    """Return what an element of a tensor is in Python."""
    return Host({BOOL: "bool", INT: "int", UINT8: "int"}.get(dtype_of(source), "float"))


def _tensor(signature: Signature, at: int, operands: list[Value], arguments: Arguments) -> Tensor:
    return Tensor(
        _device(signature.device, operands, arguments),
        _dtype(signature, signature.dtype_of(at), arguments),
        _rank(signature, signature.rank_of(at), operands, arguments),
    )


def _device(rule: str, operands: list[Value], arguments: Arguments) -> Device:
    match rule:
        case "cpu":
            return Device(CPU, None, arguments.reason("created on the host"))
        case "cuda":
            return Device(GPU, None, arguments.reason("created on the GPU"))
        case "factory" | "like":
            return _factory_device(rule, arguments)
        case "any":
            return OPEN
    if arguments.receiver is None and arguments.positional and all(map(is_size, arguments.positional)):
        return Device(CPU, None, arguments.reason("computed on the CPU, from numbers"))
    return common_device(operands)


def _factory_device(rule: str, arguments: Arguments) -> Device:
    given = arguments.get("device")
    if given is not None and given != NONE:
        return named_device(given, arguments, "created on the device")
    if rule == "like":
        return device_of(arguments.first()) or OPEN
    return Device(CPU, None, arguments.reason("created on the CPU because no `device=` is given"))


def named_device(given: Value, arguments: Arguments, done: str) -> Device:
    """Return the device that an argument names; the reason says whether it is known: an open one proves nothing."""
    device = as_device(given)
    is_known = device is not None and (device.on_gpu or device.on_cpu)
    words = f"{done} specified here" if is_known else f"{done} specified here, which is not known"
    return as_device(given, arguments.reason(words)) or OPEN


def target_of_move(target: Value | None, now: Device | None, arguments: Arguments, moved: str) -> Device | None:
    """Return the device that `.to(target)` names, or None if it names none.

    It is any device if the target may be one for all that is known, and the value is now on the host.
    """
    if isinstance(target, Deferred) and now is not None and now.on_cpu:
        target = defer(Op.TARGET, "", (target, DeviceRef(now)))
    device = as_device(target)
    if device is None and now is not None and now.on_cpu and is_opaque(target):
        return Device(ANYWHERE, None, arguments.reason(f"{moved} by `.to(…)` to a device that is not known"))
    if device is None:
        return None
    is_known = device.on_gpu or device.on_cpu
    words = "here by `.to(…)`" if is_known else "by `.to(…)` to a device that is not known"
    return as_device(target, arguments.reason(f"{moved} {words}"))


def _dtype(signature: Signature, rule: str, arguments: Arguments) -> int:
    given = arguments.get("dtype")
    if isinstance(given, DTypeRef):
        return given.dtype
    if given is not None and given != NONE:
        return ANY_DTYPE
    match rule:
        case "factory":
            return FLOAT
        case "like":
            return dtype_of(arguments.first())
        case "same":
            return promoted_dtype(_promoting(signature, arguments))
        case "accumulate":
            return _accumulated(dtype_of(arguments.first()))
    return RULES.get(rule, ANY_DTYPE)


def _promoting(signature: Signature, arguments: Arguments) -> Iterator[Value]:
    """Yield the arguments that determine the result's dtype: tensors and numbers, but not dimensions and sizes."""
    if arguments.receiver is not None:
        yield arguments.receiver
    pairs = [(signature.at(at), value) for at, value in enumerate(arguments.positional)]
    pairs += [(signature.named(name), value) for name, value in arguments.keywords.items()]
    for parameters, value in pairs:
        wanted = "s" if isinstance(value, Host) else "tTs"
        if any(not parameter.kinds.isdisjoint(wanted) for parameter in parameters):
            yield value


def _accumulated(flags: int) -> int:
    """Return the dtype of a sum: integers and bools are summed as int64."""
    return (flags & (FLOAT | COMPLEX)) | (INT if flags & (BOOL | INT | UINT8) else 0)


def _rank(signature: Signature, rule: str, operands: list[Value], arguments: Arguments) -> int:
    match rule:
        case "0" | "1" | "2":
            return rank_flags(int(rule))
        case "positions":
            return rank_flags(1 if "as_tuple" in arguments.given() else 2)
        case "flat":
            return ARRAY if arguments.given() & {"start_dim", "end_dim", "dim"} else rank_flags(1)
        case "1+":
            return ARRAY
        case "same":
            return broadcast_rank(operands) if operands else ANY_RANK
        case "first":
            return broadcast_rank(operands[:1]) if operands else ANY_RANK
        case "less":
            return shifted(broadcast_rank(operands[:1]), -1) if operands else ANY_RANK
        case "reduce":
            return _reduced_rank(operands, arguments)
        case "reduction":
            return SCALAR if arguments.get("reduction") in (None, Host("str", "mean"), Host("str", "sum")) else ANY_RANK
        case "size":
            return _size_rank(signature, arguments)
    return ANY_RANK


def _reduced_rank(operands: list[Value], arguments: Arguments) -> int:
    if arguments.get("other") is not None:
        return broadcast_rank(operands)
    given = arguments.given() & WIDENING
    if not given:
        return SCALAR
    first = arguments.first()
    rank = first.rank if isinstance(first, Tensor) else ANY_RANK
    if arguments.get("keepdim") == Host("bool", True):
        return rank if rank == SCALAR else rank & ARRAY
    one = isinstance(arguments.get("dim"), Host) and "keepdim" not in given
    return rank if rank == SCALAR else shifted(rank, -1) if one else ANY_RANK


def _size_rank(signature: Signature, arguments: Arguments) -> int:
    """Return the rank of `zeros(2, 3)`, `zeros((2, 3))`, `zeros(())`, `x.view(n, -1)`."""
    size = next(each for name in ("size", "shape") for each in signature.named(name))
    first = size.position if size.variadic and size.name not in arguments.keywords else None
    sizes = arguments.positional[first:] if first is not None else (arguments.get(size.name),)
    match sizes:
        case (Sequence(items=tuple() as items),):
            return rank_flags(len(items))
        case (DTypeRef(),):
            return rank_of(arguments.first())
        case (one,):
            return rank_flags(1) if one is not None and is_whole(one) else ANY_RANK
    return rank_flags(len(sizes)) if all(map(_is_size, sizes)) else ARRAY if sizes else ANY_RANK


def _is_size(value: Value) -> bool:
    """Whether the value is one size among others: a number or a question, but not an unpacked one (`*sizes`)."""
    return is_whole(value) or is_position(value) or (isinstance(value, Deferred) and value.op is not Op.ELEMENT)
