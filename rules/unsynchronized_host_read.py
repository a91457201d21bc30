"""A copy to the host is read before anything has waited for it: the values may be those from before the copy.

Record an event after the copy and wait for it before the read: `event = torch.cuda.Event()`, `event.record()`,
`event.synchronize()`; or copy without `non_blocking`, which waits by itself.

`.to("cpu", non_blocking=True)`, and `copy_(…, non_blocking=True)` into pinned memory, return immediately, while the
device has yet to write. The rule reports a read, by the function that copies or by the one it returns the copy to, with
nothing in between that could have waited; to compute with the copy on the host is to read it. It reports nothing after
a `synchronize`, a read of another device tensor, or a call of a function outside torch. `.numpy()` shares the copy's
memory and is reported only if no wait follows it.
"""

from __future__ import annotations

from ..lint.finding import Kind
from ..lint.offers import Effect, Offer
from ..lint.operations import HostRead, pending
from ..lint.rule import Report, rule


@rule("SYNC304", "unsynchronized-host-read", kind=Kind.BUG)
def check(op: HostRead) -> Report | None:
    """Report a read of a copy that the device may still be writing."""
    how = f"`{op.how}`" if op.how.endswith("()") else op.how
    message = f"`{op.text}` is read by {how} while the copy to the host may still be in progress: a race"
    title = "copy without `non_blocking`, which waits"
    offer = Offer("blocking-copy-to-host", title, effect=Effect.MOVES, brings=("SYNC103",), is_sure=False)
    return op.finding(message, confidence=pending(op.value), offer=offer)
