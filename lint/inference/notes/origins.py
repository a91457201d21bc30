"""Where a question comes from: what a function was given, or is part of, or made from, what that holds."""

from __future__ import annotations

from ...facts.attributes import RESHAPING
from ...facts.signatures import public_tensor_methods
from ..values.ops import Op
from ..values.union import UNKNOWN, Batch, Deferred, Instance, Tensor, Value

OF_FUNCTION = frozenset((Op.PARAMETER, Op.CALL, Op.CALL_VALUE, Op.METHOD, Op.BATCH))
"""Questions about what a function was given, has called for, or loops over."""
PARTS = frozenset((Op.ATTRIBUTE, Op.ELEMENT, Op.INDEX, Op.ITEM))
"""Questions about a part of something."""
GIVEN = frozenset(
    (
        *(Op.ATTRIBUTE, Op.METHOD, Op.DECLARED, Op.WITHOUT),
        *(Op.INDEX, Op.ELEMENT, Op.BATCH, Op.ITEM, Op.BINARY, Op.UNARY),
    )
)
"""Operations whose result is part of, or made from, what a function was given."""

LIKE_WHOLE = frozenset((Op.METHOD, Op.WITHOUT, Op.INDEX, Op.ELEMENT, Op.ITEM, Op.BINARY, Op.UNARY))
"""Of those, operations whose result is much like a tensor that they were done to."""


def is_given(value: Value) -> bool:
    """Whether the value comes from a parameter, or from an attribute of the method's object."""
    while isinstance(value, Deferred) and value.operands and (value.op in GIVEN or _is_of_object(value)):
        value = value.operands[0]
    return isinstance(value, Instance) or (isinstance(value, Deferred) and value.op is Op.PARAMETER)


def is_like_argument(value: Value) -> bool:
    """Whether the value is a parameter, or made of one as of a tensor: not what it holds, or its own methods return."""
    while isinstance(value, Deferred) and value.op in LIKE_WHOLE:
        if value.op is Op.METHOD and value.name not in public_tensor_methods():
            return False
        value = value.operands[0]
    return isinstance(value, Deferred) and value.op is Op.PARAMETER


def made_of_argument(value: Value) -> str:
    """Return the function that makes the value, or what it is part of, first of all of an argument; empty if none."""
    while isinstance(value, Deferred) and value.operands and value.op in GIVEN:
        value = value.operands[0]
    if not isinstance(value, Deferred) or value.op is not Op.CALL:
        return ""
    return value.name if value.operands and is_argument(value.operands[0]) else ""


def is_argument(value: Value) -> bool:
    """Whether this is a parameter as it was passed, or what a method of it returns: `x.float()`."""
    while isinstance(value, Deferred) and value.op is Op.METHOD:
        value = value.operands[0]
    return isinstance(value, Deferred) and value.op is Op.PARAMETER


def _is_of_object(value: Deferred) -> bool:
    """Whether this is the result of a method of an object: `self.lengths()`."""
    return value.op is Op.CALL and isinstance(value.operands[0], Instance)


def source_of(value: Value) -> Deferred | None:
    """Return the question whose answer is on the device that this value is on; None if the object or module holds it.

    What an object holds may be elsewhere when another of its methods runs.
    """
    if isinstance(value, Tensor | Batch):
        value = value.device.like or UNKNOWN
    if not isinstance(value, Deferred):
        return None
    while value.op is Op.METHOD and value.name in RESHAPING and isinstance(first := value.operands[0], Deferred):
        value = first
    return value if whole_of(value).op in OF_FUNCTION else None


def whole_of(value: Deferred) -> Deferred:
    """Return the question about the whole of which a value is a part."""
    while value.op in PARTS and isinstance(first := value.operands[0], Deferred):
        value = first
    return value
