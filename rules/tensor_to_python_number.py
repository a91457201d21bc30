"""A tensor is converted to a Python number, a size or an index, and the host waits until the device has computed it.

Stay on the device: use the functions of `torch` instead of `math`, index with tensors, and take sizes from shapes or
from the data set, where the host knows them.

The rule reports `int()`, `float()`, `bool()`, `complex()`, the functions of `math` and `operator.index` on a tensor,
`range(tensor)`, a tensor as an index into a list or as the bound of a slice, and a list repeated by a tensor. Numbers
on the host, sizes and numpy arrays are not reported.
"""

from __future__ import annotations

from ..lint.finding import Confidence
from ..lint.operations import Convert, confidence_of, may_be_number, may_be_tensor
from ..lint.rule import Report, rule


@rule("SYNC105", "tensor-to-python-number")
def check(op: Convert) -> Report | None:
    """Report a conversion to a Python number."""
    if op.to not in ("int", "float", "bool", "complex", "index"):
        return None
    if op.to == "bool" and not may_be_tensor(op.value):
        return None
    message = f"`{op.text}`: {_by(op.by)} needs the tensor's value on the host, which waits for it"
    return op.finding(message, op.value, confidence=_confidence(op))


def _confidence(op: Convert) -> Confidence | None:
    """Return the confidence: what is used as an index, and may be a number, rather is one."""
    sure = confidence_of(op.value)
    is_rather_number = op.to == "index" and sure is Confidence.LIKELY and may_be_number(op.value)
    return Confidence.POSSIBLE if is_rather_number else sure


def _by(construct: str) -> str:
    return f"`{construct}`" if construct.endswith("()") else construct
