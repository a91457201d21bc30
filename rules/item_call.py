"""`.item()` reads a tensor's only value to the host, which waits until the device has computed it.

Keep the value as a tensor: accumulate with `+=`, compare with `torch.where`, collect with `torch.stack`. If the host
needs it, read several values at once, or only every N steps.

The wait lasts until all previously queued work has run; then the queue is empty, so the device idles while the host
launches the next kernels. Reading the loss after `optimizer.step()` costs as much as reading it before. `.item()` on
numpy arrays, CPU tensors and your own objects is not reported.
"""

from __future__ import annotations

from ..lint.finding import Offer
from ..lint.operations import Call
from ..lint.rule import Report, rule

DETACHED = Offer(
    "detached",
    "keep the value as a tensor",
    "the value is a tensor on the device then: sums round as its dtype does, and whoever prints or stores it waits",
    is_sure=False,
)


@rule("SYNC101", "item-call", calls=("item",))
def check(op: Call) -> Report | None:
    """Report `.item()` on a tensor that may be on the device."""
    if op.waits() is None:
        return None
    message = f"`{op.text}` reads a value to the host, which waits until the device has computed it"
    return op.finding(message, *op.waited_for, confidence=op.by_name, offer=DETACHED)
