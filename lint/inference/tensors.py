"""How devices, dtypes and ranks of operands make those of a result: pure functions on values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..finding import Reason
from .lattice import ANY_DTYPE, ANY_RANK, ANYWHERE, ARRAY, BOOL, CPU, FLOAT, GPU, HOST, INT, OPEN, SCALAR, Device
from .values import UNKNOWN, Batch, Deferred, DeviceRef, Host, Instance, OneOf, Sequence, Tensor, Value, defer, join_all

GPU_NAMES = ("cuda", "hip", "mps", "xpu", "npu", "hpu")


def device_named(text: str, why: Reason | None = None) -> Device:
    """The device that a text such as `cuda:0` names; `meta` and all unknown names count as the host."""
    return Device(GPU, None, why) if text.startswith(GPU_NAMES) else Device(CPU, None, why)


def as_device(value: Value | None, why: Reason | None = None) -> Device | None:
    """The device a `device=` argument names, or None where it is no device (a dtype, None)."""
    match value:
        case DeviceRef(device):
            return Device(device.flags, device.like, why) if why else device
        case Host("str", str() as text):
            return device_named(text, why)
        case Host("int", int()):
            return Device(GPU, None, why)
        case Host("str" | "int"):
            return Device(ANYWHERE, None, why)
        case Tensor() | Batch():
            return value.device
        case Deferred():
            return Device(ANYWHERE, value, why)
        case OneOf():
            return next((d for d in (as_device(option, why) for option in value.options) if d), None)
        case _:
            return None


def moved_to(term: Deferred) -> Device | None:
    """The device that `.to(device)`, `.cuda()` or `.cpu()` of an open value names; None where it is no such term."""
    if term.op != "method":
        return None
    if term.name == "cpu":
        return HOST
    if term.name not in ("to", "cuda"):
        return None
    targets = [value for key, value in term.keywords if key == "device"] or list(term.operands[1:2])
    return as_device(targets[0]) if targets else None


def operands_of(values: Iterable[Value]) -> Iterator[Value]:
    """The tensors, batches and open questions among arguments, also inside lists of them."""
    for value in values:
        match value:
            case Tensor() | Batch() | Deferred():
                yield value
            case OneOf():
                yield from operands_of(value.options)
            case Sequence() if value.kind in ("list", "tuple"):
                yield from operands_of(value.items if value.items is not None else (value.element,))


def common_device(operands: Iterable[Value]) -> Device:
    """The device of a result. Operands of one operator share their device, but for 0-dim host tensors."""
    found: Device | None = None
    host: Device | None = None
    for value in operands:
        if isinstance(value, Deferred):
            moved = moved_to(value)
            if moved is not None and moved.on_gpu:
                return moved
            found = found or moved or Device(ANYWHERE, value)
            continue
        if not isinstance(value, Tensor | Batch):
            continue
        if value.device.on_gpu:
            return value.device
        if value.device.on_cpu:
            if not isinstance(value, Tensor) or value.rank & ARRAY:
                host = host or value.device
            elif found is None and host is None:
                host = None
        elif found is None or (found.like is None and value.device.like is not None):
            found = value.device
    return host or found or _scalar_device(operands)


def _scalar_device(operands: Iterable[Value]) -> Device:
    values = [v for v in operands if isinstance(v, Tensor | Batch)]
    return HOST if values and all(v.device.on_cpu for v in values) else OPEN


def rank_of(value: Value) -> int:
    """The rank flags of an operand; host numbers count as 0-dimensional."""
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
    """The dtype flags of an operand."""
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
            return dtype_of(value.any_item())
        case _:
            return ANY_DTYPE


def broadcast_rank(values: Iterable[Value]) -> int:
    """The rank of an element-wise result."""
    ranks = [rank_of(value) for value in values]
    if ARRAY in ranks:
        return ARRAY
    return SCALAR if ranks and all(rank == SCALAR for rank in ranks) else ANY_RANK


def promoted_dtype(values: Iterable[Value]) -> int:
    """The dtype of an element-wise result, by the categories of torch's promotion (bool < int < float < complex)."""
    highest = 0
    for value in values:
        if isinstance(value, Host) and value.kind not in ("bool", "int", "float", "complex", "ndarray"):
            continue
        flags = dtype_of(value)
        if flags & (flags - 1):
            return ANY_DTYPE
        highest = max(highest, flags)
    return highest or ANY_DTYPE


COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))


def binary(operator: str, left: Value, right: Value) -> Value:
    """The result of `left operator right`."""
    if isinstance(left, OneOf) or isinstance(right, OneOf):
        return _binary_options(operator, left, right)
    values = (left, right)
    if any(isinstance(v, Tensor | Batch) for v in values):
        if any(isinstance(v, Host) and v.kind in ("str", "NoneType") for v in values):
            return Host("bool") if operator in COMPARISONS else Host("object")
        return _tensor_result(operator, values)
    if any(isinstance(v, Deferred) for v in values):
        return defer("binary", operator, values)
    return _host_result(operator, left, right)


def _binary_options(operator: str, left: Value, right: Value) -> Value:
    lefts = left.options if isinstance(left, OneOf) else (left,)
    rights = right.options if isinstance(right, OneOf) else (right,)
    return join_all(binary(operator, a, b) for a in lefts for b in rights)


def _tensor_result(operator: str, values: tuple[Value, Value]) -> Value:
    device = common_device(operands_of(values))
    if operator in COMPARISONS:
        dtype = BOOL
    elif operator == "/":
        dtype = FLOAT
    else:
        dtype = promoted_dtype(values)
    rank = ANY_RANK if operator == "@" else broadcast_rank(values)
    return Tensor(device, dtype, rank)


def _host_result(operator: str, left: Value, right: Value) -> Value:
    match left, right:
        case Host(), Host():
            if "ndarray" in (left.kind, right.kind):
                return Host("ndarray")
            if operator in COMPARISONS:
                return Host("bool")
            if left.kind == right.kind:
                return Host("float" if operator == "/" else left.kind)
            kinds = {left.kind, right.kind}
            return Host("float") if kinds <= {"int", "float", "bool"} else Host("object")
        case Sequence(), Sequence() if operator == "+" and left.kind == right.kind:
            if left.items is not None and right.items is not None and len(left.items) + len(right.items) <= 16:
                return Sequence(left.kind, left.items + right.items)
            return Sequence(left.kind, None, join_all((left.any_item(), right.any_item())))
        case Sequence(), _ if operator == "*":
            return Sequence(left.kind, None, left.any_item())
        case _, Sequence() if operator == "*":
            return Sequence(right.kind, None, right.any_item())
    return Host("bool") if operator in COMPARISONS and isinstance(left, Host) and isinstance(right, Host) else UNKNOWN


def unary(operator: str, value: Value) -> Value:
    """The result of `-x`, `+x` or `~x`."""
    match value:
        case Tensor():
            return Tensor(value.device, value.dtype, value.rank)
        case Batch():
            return Tensor(value.device)
        case Host(kind, int() | float() as number) if operator == "-":
            return Host(kind, -number)
        case Host(kind):
            return Host(kind)
        case Deferred():
            return defer("unary", operator, (value,))
        case OneOf():
            return join_all(unary(operator, option) for option in value.options)
        case _:
            return value


def index(base: Value, indices: tuple[Value, ...]) -> Value:
    """The result of `base[indices]`."""
    match base:
        case Tensor():
            return _index_tensor(base, indices)
        case Batch():
            return base
        case Host("ndarray"):
            kept = any(isinstance(i, Sequence | Tensor) or i == base for i in indices)
            return base if kept else Host("object")
        case Host("Size"):
            return Host("int") if not isinstance(indices[0], Sequence) else base
        case Host("str"):
            return Host("str")
        case Host():
            return Host("object")
        case Sequence():
            return _index_sequence(base, indices)
        case Deferred():
            return defer("index", "", (base, *indices))
        case OneOf():
            return join_all(index(option, indices) for option in base.options if not _is_none(option))
        case Instance():
            return defer("call", f"{base.cls}.__getitem__", (base, *indices))
    return UNKNOWN


def _is_none(value: Value) -> bool:
    return isinstance(value, Host) and value.kind == "NoneType"


def is_slice(value: Value) -> bool:
    """The index is a slice, which keeps its dimension."""
    return isinstance(value, Sequence) and value.kind == "slice"


def _index_tensor(base: Tensor, indices: tuple[Value, ...]) -> Tensor:
    keeps = any(
        is_slice(i)
        or (isinstance(i, Tensor) and (i.rank == ARRAY or i.dtype == BOOL))
        or (isinstance(i, Host) and i.kind in ("NoneType", "ellipsis") and len(indices) > 1 and i.kind == "NoneType")
        for i in indices
    )
    if base.rank == SCALAR:
        return Tensor(base.device, base.dtype, ARRAY, base.memory)
    return Tensor(base.device, base.dtype, ARRAY if keeps else ANY_RANK, base.memory)


def _index_sequence(base: Sequence, indices: tuple[Value, ...]) -> Value:
    (first, *_) = indices
    if is_slice(first):
        return Sequence(base.kind, None, base.any_item())
    if isinstance(first, Host) and first.constant is not ...:
        if base.keys and first.constant in base.keys and base.items is not None:
            return base.items[base.keys.index(first.constant)]
        if base.items is not None and base.kind in ("list", "tuple") and isinstance(first.constant, int):
            if -len(base.items) <= first.constant < len(base.items):
                return base.items[first.constant]
    return base.any_item()


def element(value: Value) -> Value:
    """What iterating over a value yields."""
    match value:
        case Tensor():
            return Tensor(value.device, value.dtype, ANY_RANK if value.rank & ARRAY else SCALAR, value.memory)
        case Batch():
            return value
        case Sequence():
            if value.kind == "dict":
                return Host("str")
            return value.any_item()
        case Host("range"):
            return Host("int")
        case Host("Size"):
            return Host("int")
        case Host("str"):
            return Host("str")
        case Host():
            return Host("object")
        case Deferred():
            return defer("element", "", (value,))
        case Instance():
            return defer("element", value.cls, (value,))
        case OneOf():
            return join_all(element(option) for option in value.options if not _is_none(option))
    return UNKNOWN


def unpack(value: Value, count: int, star: int | None = None) -> list[Value]:
    """What `a, b = value` binds; with `star` the position of the starred name."""
    if isinstance(value, Sequence) and value.items is not None and star is None and len(value.items) == count:
        if value.kind != "dict":
            return list(value.items)
    if isinstance(value, Deferred):
        return [defer("item", str(at), (value,)) for at in range(count)]
    if isinstance(value, OneOf):
        columns = [unpack(option, count, star) for option in value.options if not _is_none(option)]
        return [join_all(column[at] for column in columns) for at in range(count)]
    each = element(value)
    return [Sequence("list", None, each) if at == star else each for at in range(count)]
