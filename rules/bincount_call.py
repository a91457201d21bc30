"""`bincount`, or `histc` without a range, reads the smallest and the largest value, and the host waits for both.

Write `torch.zeros(K, device=x.device).scatter_add_(0, x, torch.ones(len(x), device=x.device))` for K classes, and pass
`min=` and `max=` to `histc`. A class out of range becomes an error of the device instead of a longer result.

`minlength=` does not help: the values are read all the same, twice per call.
"""

from __future__ import annotations

from ..lint.inference.operations import Call
from ..lint.rule import Report, rule


@rule("SYNC206", "bincount-call")
def check(op: Call) -> Report | None:
    """Report a count over a range that the data decide."""
    wait = op.waits("bincount", "histc")
    if wait is None:
        return None
    confidence = op.by_name if op.last_name == "bincount" else None
    return op.finding(f"`{op.text}` {wait.because}; the host waits for both", op.subject, confidence=confidence)
