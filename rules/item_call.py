"""`.item()` reads a tensor's only value to the host, which waits until the device has computed it.

Keep the value as a tensor: accumulate with `+=`, compare with `torch.where`, collect with `torch.stack`. Where the host
needs it, read several values at once, or only every N steps.

The wait lasts until all work queued before has run; the queue is empty then, so the device idles while the host
launches the next kernels. Reading the loss after `optimizer.step()` costs the same as reading it before.
`.item()` of numpy arrays, of tensors on the host and of objects of your own is not reported.
"""

from __future__ import annotations

from ..lint.inference.operations import Call
from ..lint.rule import Report, rule


@rule("SYNC101", "item-call")
def check(op: Call) -> Report | None:
    """Report `.item()` of a tensor that may be on the device."""
    if op.waits("item") is None:
        return None
    message = f"`{op.text}` reads a value to the host, which waits until the device has computed it"
    return op.finding(message, op.subject, confidence=op.by_name)
