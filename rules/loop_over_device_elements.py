"""A Python loop reads the elements of a device tensor one by one on the host, and waits for each.

Compute on the whole tensor instead of its elements; if Python needs the numbers, copy them once before the loop with
`.tolist()`.

The loop itself does not wait: this rule points at the first read in its body. A loop over a tensor whose elements stay
on the device launches many small kernels but does not wait, and is not reported.
"""

from __future__ import annotations

from ..lint.offers import Effect, Offer
from ..lint.operations import Iterate, Tensor, confidence_of, has_rank, is_seen_as_tensor
from ..lint.rule import Report, rule

ONCE = Offer(
    "elements-as-list",
    "copy the elements once, before the loop",
    effect=Effect.ONCE,
    brings=("SYNC102",),
    is_sure=False,
)


@rule("SYNC604", "loop-over-device-elements")
def check(op: Iterate) -> Report | None:
    """Report a loop over a tensor, or over its indices, whose body reads the elements on the host."""
    if not isinstance(op.value, Tensor) or confidence_of(*op.reads) is None:
        return None
    message = f"the loop over `{op.text}` reads a tensor element by element, and the host waits for each"
    offer = ONCE if has_rank(op.value, 1) and is_seen_as_tensor(op.value) else None
    return op.finding(message, op.value, offer=offer)
