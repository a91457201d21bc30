"""The results of Python's operators: `a + b`, `a < b`, `-a` on tensors, host values and open questions."""

from __future__ import annotations

from dataclasses import replace

from .containers import united
from .joining import any_item, join_all
from .lattice import ANY_RANK, ARRAY, BOOL, COMPLEX, FLOAT, OPEN
from .ops import Op
from .tensors import broadcast_rank, operands_of, promoted_dtype, rank_of
from .together import common_device
from .union import (
    NONE,
    UNKNOWN,
    Batch,
    Deferred,
    DeviceRef,
    DTypeRef,
    Host,
    OneOf,
    Sequence,
    Tensor,
    Value,
    defer,
    options_of,
)

COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
EQUALITY = ("==", "!=")
BITWISE = ("&", "|", "^", "~")
METHODS = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__", "%": "__mod__",
    "**": "__pow__", "@": "__matmul__", "&": "__and__", "|": "__or__", "^": "__xor__", "<<": "__lshift__",
    ">>": "__rshift__",
}  # fmt: skip
"""Operators -> the methods of their left operand that define them. Source: Python 3.13, Data model, 3.3.8."""
CONTAINERS = ("list", "tuple", "dict", "set")
"""Kinds of sequences that no tensor equals or can be added to: Python itself computes the result."""
UNEQUAL = ("str", "NoneType", "Size")
"""Kinds of other values that no tensor equals."""


def binary(operator: str, left: Value, right: Value) -> Value:
    """Return the result of `left operator right`."""
    values = (left, right)
    if operator in BITWISE and any(isinstance(each, Deferred) for value in values for each in options_of(value)):
        if isinstance(left, Tensor) and left.dtype == BOOL and tested(right) == "compared":
            return replace(_tensor_result(operator, values), dtype=BOOL)  # it would lead on and on in a loop
        return defer(Op.BINARY, operator, values)  # whether the result is a mask depends on both
    if isinstance(left, OneOf) or isinstance(right, OneOf):
        return _binary_options(operator, left, right)
    if operator == "|" and (union := united(left, right)) is not None:
        return union
    if (found := _container_result(operator, left, right)) is not None:
        return found
    if isinstance(left, Tensor | Batch) or isinstance(right, Tensor | Batch):
        if any(isinstance(v, DeviceRef | DTypeRef) or (isinstance(v, Host) and v.kind in UNEQUAL) for v in values):
            return Host("bool") if operator in COMPARISONS else Host("object")
        return _tensor_result(operator, values)
    if isinstance(left, Deferred) or isinstance(right, Deferred):
        return defer(Op.BINARY, operator, values)
    return _host_result(operator, left, right)


def _container_result(operator: str, left: Value, right: Value) -> Value | None:
    """Return the result for a list or other container and a tensor, a batch, or something unknown.

    `tensor == []` is False; `[0] + x` is an error if `x` is a tensor, which proves that it is not.
    """
    container, other = (left, right) if isinstance(left, Sequence) else (right, left)
    if not isinstance(container, Sequence) or container.kind not in CONTAINERS:
        return None
    if operator in COMPARISONS and isinstance(other, Tensor | Batch):
        return Host("bool")
    if container.kind not in ("list", "tuple") or not (
        isinstance(other, Tensor | Batch | Deferred) or other is UNKNOWN
    ):
        return None
    if operator == "+":
        added = defer(Op.ELEMENT, "", (other,)) if isinstance(other, Deferred) else UNKNOWN
        return Sequence(container.kind, None, join_all((any_item(container), added)))
    return Sequence(container.kind, None, any_item(container)) if operator == "*" else None


def _binary_options(operator: str, left: Value, right: Value) -> Value:
    lefts, rights = _operands(operator, left), _operands(operator, right)
    found = join_all(binary(operator, a, b) for a in lefts for b in rights)
    if found is UNKNOWN and any(isinstance(option, Deferred) for option in (*lefts, *rights)):
        return defer(Op.BINARY, operator, (left, right))  # too many open questions, which may have few answers
    if any(isinstance(each, Deferred) and _has_number(other) for each, other in ((left, right), (right, left))):
        return defer(Op.BINARY, operator, (left, right))  # one question, of which a use tells: `x >> depth`
    return found


def _has_number(value: Value) -> bool:
    """Whether some branch binds a number, and all that others bind is open."""
    options = options_of(value)
    numbers = [isinstance(each, Host) and each.kind in ("int", "float") for each in options]
    return (
        any(numbers)
        and not all(numbers)
        and sum(isinstance(each, Deferred) for each in options) == numbers.count(False)
    )


def _operands(operator: str, value: Value) -> tuple[Value, ...]:
    """Return what an operand can be: None can only be compared for equality."""
    options = options_of(value)
    return options if operator in EQUALITY else tuple(option for option in options if option != NONE) or options


def _tensor_result(operator: str, values: tuple[Value, Value]) -> Tensor:
    device = common_device(operands_of(values))
    if device.on_cpu and UNKNOWN in values and not any(rank_of(each) & ARRAY for each in values if each is not UNKNOWN):
        device = OPEN  # a number on the host is added to what may be anywhere
    if operator in COMPARISONS:
        dtype = BOOL
    elif operator == "/":
        dtype = FLOAT
    else:
        dtype = _computable(operator, promoted_dtype(values))
    rank = ANY_RANK if operator == "@" else broadcast_rank(values)
    return Tensor(device, dtype, rank)


def _computable(operator: str, dtype: int) -> int:
    """Return the dtypes for which an operator is defined: no bitwise operators on floats, no minus on bools."""
    excluded = FLOAT | COMPLEX if operator in BITWISE else BOOL if operator == "-" else 0
    return dtype & ~excluded or dtype


def _host_result(operator: str, left: Value, right: Value) -> Value:
    match left, right:
        case Host(), Host():
            if "ndarray" in (left.kind, right.kind):
                return Host("ndarray")
            if operator in COMPARISONS:
                return _compared(operator, left, right)
            if left.kind == right.kind:
                return Host("float" if operator == "/" else left.kind)
            kinds = {left.kind, right.kind}
            if operator == "*" and kinds == {"str", "int"}:
                return Host("str")
            return Host("float") if kinds <= {"int", "float", "bool"} else Host("object")
        case (DeviceRef(is_object=True), Host(kind)) | (Host(kind), DeviceRef(is_object=True)) if operator in EQUALITY:
            return Host("object") if kind == "object" else Host("bool", operator == "!=")
        case (DeviceRef(), DeviceRef() | Host("str")) | (Host("str"), DeviceRef()) if operator in EQUALITY:
            return Host("bool")
        case Sequence(), Sequence() if operator == "+" and left.kind == right.kind:
            if left.items is not None and right.items is not None and len(left.items) + len(right.items) <= 16:
                return Sequence(left.kind, left.items + right.items)
            return Sequence(left.kind, None, join_all((any_item(left), any_item(right))))
        case Sequence(), _ if operator == "*":
            return Sequence(left.kind, None, any_item(left))
        case _, Sequence() if operator == "*":
            return Sequence(right.kind, None, any_item(right))
    return Host("bool") if operator in COMPARISONS and isinstance(left, Host) and isinstance(right, Host) else UNKNOWN


def _compared(operator: str, left: Host, right: Host) -> Host:
    """Return whether two host values are equal, if the source shows both."""
    if "object" in (left.kind, right.kind):
        return Host("object")
    if ... in (left.constant, right.constant) or operator not in EQUALITY:
        return Host("bool")
    return Host("bool", (left.constant == right.constant) is (operator == "=="))


def tested(value: Value) -> str:
    """Return how an open question is asked that only a truth value, or several, can answer; nothing for another."""
    match value:
        case Deferred(op=Op.BINARY, name=operator) if operator in COMPARISONS:
            return "compared"
        case Deferred(op=Op.BINARY, name="&" | "|", operands=(left, right)):
            return tested(left) or tested(right)
        case Deferred(op=Op.UNARY, name="~", operands=(inverted,)):
            return tested(inverted) or "inverted"
    return ""


def unary(operator: str, value: Value) -> Value:
    """Return the result of `-x`, `+x` or `~x`."""
    match value:
        case Tensor():
            return Tensor(value.device, _computable(operator, value.dtype), value.rank)
        case Batch():
            return Tensor(value.device)
        case Host(kind, int() | float() as number) if operator == "-":
            return Host(kind, -number)
        case Host(kind):
            return Host(kind)
        case Deferred():
            return defer(Op.UNARY, operator, (value,))
        case OneOf():
            return join_all(unary(operator, option) for option in value.options)
        case _:
            return value
