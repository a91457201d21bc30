"""`acme_gpu.peek` reads a value of a tensor to the host, which waits until the device has computed it.

Take a copy on the device (`value.flatten()[0].clone()`), and read all copies after the loop.
"""

from __future__ import annotations

from synclint.plugin import Call, Report, rule


@rule("ACME001", "acme-peek", calls=("acme_gpu.peek",))
def check(op: Call) -> Report | None:
    """Report a peek at a tensor that may be on the device."""
    if op.last_name != "peek":
        return None
    return op.finding(f"`{op.text}` reads a value to the host, which waits for the device", op.subject)
