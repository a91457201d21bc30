"""`.tolist()` copies every value of a tensor to the host, which waits until the device has computed them.

Keep the values on the device and convert them to lists once, after the loop or every N steps. One `.tolist()` of a
stacked tensor costs one wait; many calls cost one each.

`.tolist()` on numpy arrays and CPU tensors is not reported.
"""

from __future__ import annotations

from ..lint.operations import Call
from ..lint.rule import Report, rule


@rule("SYNC102", "tensor-tolist", calls=("tolist",))
def check(op: Call) -> Report | None:
    """Report `.tolist()` on a tensor that may be on the device."""
    if op.waits() is None:
        return None
    message = f"`{op.text}` copies all values to the host, which waits until the device has computed them"
    return op.finding(message, *op.waited_for, confidence=op.by_name)
