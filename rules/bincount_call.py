"""`bincount`, and `histc` without a range, read the smallest and largest values, and the host waits for both.

For K classes, write `torch.zeros(K, device=x.device).scatter_add_(0, x, torch.ones(len(x), device=x.device))`; pass
`min=` and `max=` to `histc`. An out-of-range class then becomes a device-side error instead of a longer result.

`minlength=` does not help: both values are read anyway, twice per call.
"""

from __future__ import annotations

from ..lint.offers import Offer
from ..lint.operations import Call, is_seen_as_tensor
from ..lint.rule import Report, rule

SCATTERED = Offer(
    "classes-by-scattering",
    "count by `scatter_add_`",
    "a class of `minlength` or more makes no longer result, but ends the process's use of the device, later",
    is_sure=False,
    is_display=True,
)


@rule("SYNC206", "bincount-call", calls=("bincount", "histc"))
def check(op: Call) -> Report | None:
    """Report a count whose range depends on the data."""
    wait = op.waits()
    if wait is None:
        return None
    confidence = op.by_name if op.last_name == "bincount" else None
    is_plain = op.last_name == "bincount" and not op.given("weights") and is_seen_as_tensor(op.subject)
    offer = SCATTERED if is_plain else None
    return op.finding(
        f"`{op.text}` {wait.because}; the host waits for both", *op.waited_for, confidence=confidence, offer=offer
    )
