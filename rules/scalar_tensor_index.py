"""A zero-dimensional device tensor is used as an index, and the host waits to read it as a number.

Keep the index one-dimensional: `x.index_select(0, i.view(1))` or `x[i.view(1)][0]`. This makes a copy, whereas `x[i]`
is a view, and an out-of-range index becomes a device-side error.

The rule reports `x[i]`, `x[:, i]`, `x.select(dim, i)` and `x.narrow(dim, i, length)`. A write `x[i] = value` reads the
index as well; since torch 2.15 it does not if the value is a number or zero-dimensional. Indices with at least one
dimension stay on the device, and so do all in TorchScript, where `x[i]` is an `aten::index`; Python numbers are already
on the host.
"""

from __future__ import annotations

from ..lint.facts.torch_ops import INDICES_READ
from ..lint.offers import Offer
from ..lint.operations import (
    Batch,
    Call,
    Index,
    IndexWrite,
    Tensor,
    Value,
    is_scalar_position,
    is_seen_as_tensor,
    may_be_scalar,
)
from ..lint.rule import Report, rule

COPIED = Offer(
    "element-as-row",
    "select with an index of one dimension",
    "the result is a copy, not a view, and an index out of range ends the process's use of the device, later",
    is_sure=False,
    is_display=True,
)


@rule("SYNC110", "scalar-tensor-index", calls=[name for row in INDICES_READ for name in row.names])
def check(op: Call | Index | IndexWrite) -> Report | None:
    """Report a zero-dimensional index that is read to the host."""
    message = f"`{op.text}`: the host waits to read a zero-dimensional tensor used as an index"
    is_plain = isinstance(op, Index) and len(op.indices) == 1 and all(map(is_seen_as_tensor, (op.base, *op.indices)))
    return op.finding(message, *_read(op), offer=COPIED if is_plain else None)


def _read(op: Call | Index | IndexWrite) -> list[Value]:
    """Return the indices that are read to the host."""
    if isinstance(op, Call):
        return list(op.waited_for) if op.is_torch else []
    if op.scripted or not isinstance(op.base, Tensor | Batch) or (isinstance(op, IndexWrite) and _stays_on_device(op)):
        return []
    return [index for index in op.indices if is_scalar_position(index)]


def _stays_on_device(op: IndexWrite) -> bool:
    """Whether the index stays on the device: since torch 2.15, when a number or zero-dimensional tensor is written."""
    if op.augmented or op.versions.may_be("torch", until="2.15"):
        return False
    return not isinstance(op.value, Tensor) or may_be_scalar(op.value)
