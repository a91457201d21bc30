"""`nonzero`, `argwhere` and one-argument `where` return positions, and the host waits to learn how many.

Write `torch.where(condition, a, b)`, multiply by the mask, or count with `count_nonzero`. If you need the positions,
`torch.nonzero_static(x, size=k)` returns a fixed number of them: it truncates extra ones and pads with -1.

Three-argument `where`, `count_nonzero` and `nonzero_static` have known output shapes and are not reported; neither is
numpy's `nonzero`.
"""

from __future__ import annotations

from ..lint.offers import Offer
from ..lint.operations import Call, has_rank, is_mask, is_seen_as_tensor
from ..lint.rule import Report, rule

COUNTED = Offer(
    "positions-as-count",
    "count with `count_nonzero`",
    "the number is a tensor on the device then: whoever prints, stores or decides by it waits",
    is_sure=False,
)


@rule("SYNC201", "nonzero-call", calls=("nonzero", "argwhere", "torch.where"))
def check(op: Call) -> Report | None:
    """Report a call that returns the positions of the true entries."""
    if op.waits() is None and not _finds_positions(op):
        return None
    message = f"`{op.text}` returns one position per true entry; the host must wait for the count"
    return op.finding(message, *op.waited_for, confidence=op.by_name, offer=_offers(op))


def _offers(op: Call) -> tuple[Offer, ...]:
    """Return the write through the condition itself, if it has one dimension, and the count of its positions."""
    if not is_seen_as_tensor(op.subject):
        return ()
    if not is_mask(op.subject) or not has_rank(op.subject, 1):
        return (COUNTED,)
    return Offer("positions-as-mask", "write through the condition itself", is_sure=False), COUNTED


def _finds_positions(op: Call) -> bool:
    return op.name == "torch.where" and len(op.positional) + len(op.keywords) == 1
