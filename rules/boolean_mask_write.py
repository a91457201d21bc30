"""Writing through a mask requires the number of selected entries, and the host waits for it.

Write `x = torch.where(mask, value.to(x.dtype), x)`, or fill with a Python number. To write one value per selected
entry, use `x.masked_scatter_(mask, values)`, which waits only in the backward pass of `values`.

`x[mask] = number` fills on the device without waiting, as does a zero-dimensional CPU tensor. A device tensor waits
even if it is zero-dimensional; `x[mask] += value` waits twice; `masked_fill(mask, value)` reads a value that is a
device tensor. `index_put` behaves like an indexed write. `torch.where` returns a new tensor and promotes dtypes.
"""

from __future__ import annotations

from ..lint.facts.torch_ops import MASKED_FILL, WRITTEN_THROUGH_INDICES
from ..lint.offers import Offer
from ..lint.operations import (
    Batch,
    Call,
    Host,
    IndexWrite,
    Sequence,
    Tensor,
    Value,
    confidence_of,
    have_one_rank,
    is_floating,
    is_mask,
    is_scalar,
    is_seen_as_tensor,
    may_be_scalar,
    on_gpu,
    on_host,
    options_of,
)
from ..lint.rule import Report, rule

UPDATED = Offer("masked-update-as-where", "compute for all with `torch.where`, and copy", is_sure=False)


@rule("SYNC204", "boolean-mask-write", calls=(*WRITTEN_THROUGH_INDICES, *MASKED_FILL.names))
def check(op: Call | IndexWrite) -> Report | None:
    """Report a write through a mask that is not a plain fill."""
    message = f"`{op.text}`: writing through a mask counts the selected entries; the host must wait for the count"
    if isinstance(op, Call) and op.last_name in WRITTEN_THROUGH_INDICES:
        return op.finding(message, *_masks_of(op)) if op.is_torch else None
    if isinstance(op, Call):
        read = op.waited_for if op.is_torch else ()
        return op.finding(f"`{op.text}` reads the fill value to the host, which waits for it", *read)
    return op.finding(message, *_waited_for(op), offer=_offer(op))


def _offer(op: IndexWrite) -> Offer | None:
    """Return the copy of `where`, for `x[mask] = y[mask]` and `x[mask] += 1` if mask, x and y have one shape."""
    is_plain = len(op.indices) == 1 and is_seen_as_tensor(op.base)
    if not is_plain or not have_one_rank(op.base, op.indices[0]):
        return None
    if op.augmented:
        return UPDATED if is_floating(op.base) else None
    return Offer("masked-copy-as-where", "select with `torch.where`, and copy", is_sure=False)


def _masks_of(op: Call) -> list[Value]:
    """Return the device masks among the indices of `index_put`, unless it fills with a number."""
    indices, values = op.argument("indices"), op.argument("values")
    masks = [each for each in (indices.items or ()) if is_mask(each)] if isinstance(indices, Sequence) else []
    fills = len(masks) == 1 and values is not None and on_host(values)
    return [] if fills else [mask for mask in masks if not on_host(mask)]


def _waited_for(op: IndexWrite) -> list[Value]:
    """Return the device masks, or the base if a CPU mask (or the number to write) is copied to its device."""
    masks = [index for index in op.indices if is_mask(index)] if confidence_of(op.base) else []
    if not all(map(on_host, masks)):
        return [] if _fills(op) else masks
    until = "2.15" if isinstance(op.value, Host) else "2.9"
    return [op.base] if masks and on_gpu(op.base) and op.versions.may_be("torch", until=until) else []


def _fills(op: IndexWrite) -> bool:
    """Whether a number or zero-dimensional CPU tensor is filled in on the device, through a single mask."""
    tensors = [index for index in op.indices if isinstance(index, Tensor | Batch)]
    if op.augmented or len(tensors) > 1 or any(is_scalar(each) for each in tensors):
        return False
    return all(map(_is_number, options_of(op.value)))


def _is_number(value: Value) -> bool:
    """Whether the value is no tensor, or may be a zero-dimensional one on the host."""
    if isinstance(value, Tensor):
        return on_host(value) and may_be_scalar(value)
    return not isinstance(value, Batch)
