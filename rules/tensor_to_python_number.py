"""A tensor is converted to a Python number, a size or an index, and the host waits until the device has computed it.

Stay on the device: use the functions of `torch` instead of `math`, index with tensors, and take sizes from shapes or
from the data set, where the host knows them.

The rule reports `int()`, `float()`, `bool()`, `complex()`, the functions of `math` and `operator.index` on a tensor,
`range(tensor)`, a tensor as an index into a list or as the bound of a slice, and a list repeated by a tensor. Numbers
on the host, sizes and numpy arrays are not reported.
"""

from __future__ import annotations

from ..lint.operations import Convert, may_be_tensor
from ..lint.rule import Report, rule


@rule("SYNC105", "tensor-to-python-number")
def check(op: Convert) -> Report | None:
    """Report a conversion to a Python number."""
    if op.to not in ("int", "float", "bool", "complex", "index"):
        return None
    if op.to == "bool" and not may_be_tensor(op.value):
        return None
    return op.finding(f"`{op.text}`: {_by(op.by)} needs the tensor's value on the host, which waits for it", op.value)


def _by(construct: str) -> str:
    return f"`{construct}`" if construct.endswith("()") else construct
