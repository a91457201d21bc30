"""A tensor of the device is indexed with a list, a numpy array or a tensor of the host, which is copied there first; the host waits.

Build the index once, on the device, outside the loop. Fill with `index_fill_`, or with a slice: `x[0:1] = 1.0`.

Before torch 2.15, `x[ids] = number` waits even with an index on the device, for the number is copied like a tensor; so does a
zero-dimensional tensor of the host still. Slices, Python numbers and indices on the device do not wait.
"""

from __future__ import annotations

from ..lint.finding import Confidence
from ..lint.inference.lattice import ARRAY, INT, SCALAR
from ..lint.inference.operations import Index, IndexWrite
from ..lint.inference.values import Host, Sequence, Tensor, Value
from ..lint.rule import Report, rule

NUMBERS = ("int", "float", "bool")


@rule("SYNC209", "host-index-into-device-tensor")
def check(op: Index | IndexWrite) -> Report | None:
    """Report an index, or a value written through one, that is copied to the device."""
    if not isinstance(op.base, Tensor):
        return None
    for index in op.indices:
        confidence = _copied(index, op.base)
        if confidence is not None:
            message = f"`{op.text}`: the index is copied from the host to the device, and the host waits for the copy"
            return op.finding(message, op.base, confidence=confidence)
    if isinstance(op, IndexWrite) and _value_is_copied(op):
        message = f"`{op.text}`: the value to write is copied from the host to the device, and the host waits for the copy"
        return op.finding(message, op.base, *op.indices)
    return None


def _copied(index: Value, base: Tensor) -> Confidence | None:
    """How sure it is that the index has to be copied to the base's device."""
    certain = base.device.on_gpu
    match index:
        case Sequence("list"):
            if base.device.on_cpu or isinstance(index.any_item(), Tensor | Sequence):
                return None
            known = isinstance(index.any_item(), Host)
            return Confidence.CERTAIN if certain and known else Confidence.LIKELY if certain or known else None
        case Host("ndarray"):
            return Confidence.LIKELY if certain else None
        case Tensor() if index.device.on_cpu and index.rank == ARRAY and not index.dtype & ~INT:
            return Confidence.CERTAIN if certain else None
    return None


def _value_is_copied(op: IndexWrite) -> bool:
    """A value of the host is written through an index on the device."""
    ids = [index for index in op.indices if isinstance(index, Tensor) and index.dtype == INT and index.rank != SCALAR]
    if not ids or op.augmented:
        return False
    if isinstance(op.value, Tensor):
        return op.value.device.on_cpu and op.value.rank == SCALAR
    return isinstance(op.value, Host) and op.value.kind in NUMBERS and op.versions.may_be("torch", until="2.15")
