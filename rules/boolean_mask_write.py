"""Writing through a mask requires the number of selected entries, and the host waits for it.

Write `x = torch.where(mask, value.to(x.dtype), x)`, or fill with a Python number. To write one value per selected
entry, use `x.masked_scatter_(mask, values)`, which waits only in the backward pass of `values`.

`x[mask] = number` fills on the device without waiting, as does a zero-dimensional CPU tensor. A device tensor waits
even if it is zero-dimensional; `x[mask] += value` waits twice; `masked_fill(mask, value)` reads a value that is a
device tensor. `index_put` behaves like an indexed write. `torch.where` returns a new tensor and promotes dtypes.
"""

from __future__ import annotations

from ..lint.facts.torch_ops import WRITTEN_THROUGH_INDICES
from ..lint.inference.notes.operations import Call, IndexWrite
from ..lint.inference.values.lattice import SCALAR
from ..lint.inference.values.union import Batch, Host, Sequence, Tensor, Value
from ..lint.rule import Report, rule
from .boolean_mask_read import is_mask, on_host

FILLS = frozenset(("masked_fill", "masked_fill_"))


@rule("SYNC204", "boolean-mask-write")
def check(op: Call | IndexWrite) -> Report | None:
    """Report a write through a mask that is not a plain fill."""
    message = f"`{op.text}`: writing through a mask counts the selected entries; the host must wait for the count"
    if isinstance(op, Call) and op.last_name in WRITTEN_THROUGH_INDICES:
        return op.finding(message, *_masks_of(op)) if op.is_torch else None
    if isinstance(op, Call):
        value = op.argument("value") if op.last_name in FILLS and op.is_torch else None
        if value is None:
            return None
        return op.finding(f"`{op.text}` reads the fill value to the host, which waits for it", value)
    return op.finding(message, *_waited_for(op))


def _masks_of(op: Call) -> list[Value]:
    """Return the device masks among the indices of `index_put`, unless it fills with a number."""
    indices, values = op.argument("indices"), op.argument("values")
    masks = [each for each in (indices.items or ()) if is_mask(each)] if isinstance(indices, Sequence) else []
    fills = len(masks) == 1 and isinstance(values, Tensor) and values.device.on_cpu
    return [] if fills else [mask for mask in masks if not on_host(mask)]


def _waited_for(op: IndexWrite) -> list[Value]:
    """Return the device masks, or the base if a CPU mask (or the number to write) is copied to its device."""
    masks = [index for index in op.indices if is_mask(index)]
    if not all(map(on_host, masks)):
        return [] if _fills(op) else masks
    copied = masks and isinstance(op.base, Tensor) and op.base.device.on_gpu
    until = "2.15" if isinstance(op.value, Host) else "2.9"
    return [op.base] if copied and op.versions.may_be("torch", until=until) else []


def _fills(op: IndexWrite) -> bool:
    """Whether a number or zero-dimensional CPU tensor is filled in on the device, through a single mask."""
    tensors = [index for index in op.indices if isinstance(index, Tensor | Batch)]
    if op.augmented or len(tensors) > 1 or any(_is_scalar(each) for each in tensors):
        return False
    if isinstance(op.value, Tensor):
        return op.value.device.on_cpu and bool(op.value.rank & SCALAR)
    return not isinstance(op.value, Batch)


def _is_scalar(index: Value) -> bool:
    """Whether the index has no dimensions, so that it is read as a single bool."""
    return isinstance(index, Tensor) and index.rank == SCALAR
