"""`.item()` reads a tensor's only value to the host, which waits until the device has computed it.

Keep the value as a tensor: accumulate with `+=`, compare with `torch.where`, collect with `torch.stack`. If the host
needs it, read several values at once, or only every N steps.

The wait lasts until all previously queued work has run; then the queue is empty, so the device idles while the host
launches the next kernels. Reading the loss after `optimizer.step()` costs as much as reading it before. `.item()` on
numpy arrays, CPU tensors and your own objects is not reported.
"""

from __future__ import annotations

from dataclasses import replace

from ..lint.offers import Effect, Offer
from ..lint.operations import Call, is_boolean, is_floating, is_integral, is_scalar, is_seen_as_tensor
from ..lint.rule import Report, rule

DETACHED = Offer(
    "detached",
    "keep the value as a tensor",
    "the value is a tensor on the device then: sums round as its dtype does, and whoever prints or stores it waits",
    is_sure=False,
)

LISTED = Offer(
    "items-as-list",
    "copy the elements once, before the loop",
    effect=Effect.ONCE,
    brings=("SYNC102",),
    is_sure=False,
)
TOGETHER = Offer(
    "items-at-once",
    "read the values at once",
    "tensors on different devices cannot be stacked",
    Effect.ONCE,
    brings=("SYNC102",),
    is_sure=False,
)
KINDS = {"float": is_floating, "int": is_integral, "bool": is_boolean}
"""Kinds of numbers that one tensor can hold without loss."""


@rule("SYNC101", "item-call", calls=("item",))
def check(op: Call) -> Report | None:
    """Report `.item()` on a tensor that may be on the device."""
    if op.waits() is None:
        return None
    message = f"`{op.text}` reads a value to the host, which waits until the device has computed it"
    return op.finding(message, *op.waited_for, confidence=op.by_name, offer=_offers(op))


def _offers(op: Call) -> tuple[Offer, ...]:
    """Return the value as a tensor; of tensors without dimensions, also the reads of several at once."""
    if not is_seen_as_tensor(op.subject):
        return ()
    if not is_scalar(op.subject):
        return (DETACHED,)
    together = (kind for kind, is_one in KINDS.items() if is_one(op.subject))
    return DETACHED, LISTED, *(replace(TOGETHER, details=(kind,)) for kind in together)
