"""Reading `x[mask]` selects entries by a mask, and the host waits to learn how many there are.

Write `torch.where(mask, x, 0)` and divide by `mask.sum()` for a mean, or let the loss skip entries (`ignore_index`).
With a very sparse mask on a very large tensor, the gather may still be faster: measure.

`masked_select` and uint8 masks wait the same way. Multiplying by the mask instead propagates NaN (`NaN * 0` is NaN),
and `torch.where` lets gradients flow into the branch not taken. A mask on the host waits only before torch 2.9. Integer
indices have a known size and are not reported.
"""

from __future__ import annotations

from dataclasses import replace

from ..lint.offers import Effect, Offer
from ..lint.operations import (
    Batch,
    Call,
    Index,
    Tensor,
    Unknown,
    Value,
    as_mask,
    has_rank,
    have_one_rank,
    is_floating,
    is_mask,
    is_seen_as_tensor,
    may_be_scalar,
    on_gpu,
    on_host,
    options_of,
)
from ..lint.rule import Report, rule

IGNORED = Offer(
    "ignored-by-loss",
    "have the loss skip the entries",
    "the last digit of the loss may differ, ignored entries that are NaN or infinite reach the gradients, "
    "and other files may use the loss or the method as well",
    is_sure=False,
)

REDUCED = Offer(
    "masked-reduction-as-where",
    "sum over `torch.where`",
    "the last digits differ, since the numbers are added in another order",
    is_sure=False,
)


@rule("SYNC203", "boolean-mask-read", calls=("masked_select",))
def check(op: Call | Index) -> Report | None:
    """Report a read through a mask."""
    if isinstance(op, Call):
        values = list(op.waited_for) if op.waits() else []
        confidence = op.by_name
    else:
        values, confidence = _waited_for(op), None
    if not values:
        return None
    message = f"`{op.text}` selects entries by a mask; the host must wait for the count"
    return op.finding(message, *values, confidence=confidence, offer=_offers(op))


def _offers(op: Call | Index) -> tuple[Offer, ...]:
    """Return the loss that skips entries, and the search for the mask's positions, once for several reads."""
    if isinstance(op, Call) or len(op.indices) != 1:
        return ()
    (mask,) = op.indices
    skipped = replace(IGNORED, details=("row",)) if has_rank(mask, 1) else IGNORED
    if not is_seen_as_tensor(op.base) or not is_seen_as_tensor(mask):
        return (skipped,)
    title = "find the positions of the mask once, for all reads"
    unsafe = "a mask without dimensions selects something else" if may_be_scalar(mask) else ""
    details = ("whole",) if have_one_rank(mask, op.base) else ()
    once = Offer("mask-positions-once", title, unsafe, Effect.ONCE, details, brings=("SYNC201",), is_sure=False)
    return (skipped, REDUCED, once) if details and is_floating(op.base) else (skipped, once)


def _waited_for(op: Index) -> list[Value]:
    """Return the masks that are read, or the base if a CPU mask is copied to its device."""
    masks = [index for index in op.indices if is_mask(index)]
    if on_host(op.base) or not any(isinstance(each, Tensor | Batch | Unknown) for each in options_of(op.base)):
        return []
    if all(map(on_host, masks)):
        return [op.base] if masks and on_gpu(op.base) and op.versions.may_be("torch", until="2.9") else []
    return [*map(as_mask, masks)]
