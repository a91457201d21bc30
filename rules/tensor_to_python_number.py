"""A tensor is converted to a Python number, a size or an index, and the host waits until the device has computed it.

Stay on the device: use the functions of `torch` instead of `math`, index with tensors, and take sizes from shapes or
from the data set, where the host knows them.

The rule reports `int()`, `float()`, `bool()`, `complex()`, the functions of `math` and `operator.index` on a tensor,
`range(tensor)`, a tensor as an index into a list or as the bound of a slice, a list repeated by a tensor, and an item
of a NumPy array that is set to a tensor. Numbers on the host, sizes and numpy arrays are not reported.
"""

from __future__ import annotations

from ..lint.finding import Confidence
from ..lint.operations import (
    UNKNOWN,
    Batch,
    Convert,
    Host,
    IndexWrite,
    confidence_of,
    is_number,
    may_be_array,
    may_be_number,
    may_be_scalar,
    may_be_tensor,
    options_of,
)
from ..lint.rule import Report, rule


@rule("SYNC105", "tensor-to-python-number")
def check(op: Convert | IndexWrite) -> Report | None:
    """Report a conversion to a Python number, or to one of a NumPy array's."""
    if isinstance(op, IndexWrite):
        message = f"`{op.text}`: an item of a NumPy array needs the tensor's value on the host, which waits for it"
        return op.finding(message, op.value) if _is_item(op) else None
    if op.to not in ("int", "float", "bool", "complex", "index"):
        return None
    if op.to == "bool" and not may_be_tensor(op.value):
        return None
    message = f"`{op.text}`: {_by(op.by)} needs the tensor's value on the host, which waits for it"
    return op.finding(message, op.value, confidence=_confidence(op))


def _is_item(op: IndexWrite) -> bool:
    """Whether one item of an array is written: arrays are not filled from the device, which is an error."""
    is_array = may_be_array(op.base) and not may_be_tensor(op.base)
    is_one = any(may_be_scalar(each) or isinstance(each, Batch) for each in options_of(op.value))
    return (
        is_array and is_one and all(is_number(each) or each == Host("object") or each is UNKNOWN for each in op.indices)
    )


def _confidence(op: Convert) -> Confidence | None:
    """Return the confidence: what is used as an index, and may be a number, rather is one."""
    sure = confidence_of(op.value)
    is_rather_number = op.to == "index" and sure is Confidence.LIKELY and may_be_number(op.value)
    return Confidence.POSSIBLE if is_rather_number else sure


def _by(construct: str) -> str:
    return f"`{construct}`" if construct.endswith("()") else construct
