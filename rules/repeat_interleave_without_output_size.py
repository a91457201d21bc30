"""`repeat_interleave` with a tensor of repeats sums them to size its result, and the host waits for the sum.

Pass `output_size=`, the sum as a Python number, if the data set or an earlier step knows it.

A Python number of repeats never waits and is not reported, and neither is what repeats a tensor on the host: the
repeats are there, too. A wrong `output_size` is an error.
"""

from __future__ import annotations

from ..lint.operations import Call, on_host
from ..lint.rule import Report, rule


@rule("SYNC205", "repeat-interleave-without-output-size", calls=("repeat_interleave",))
def check(op: Call) -> Report | None:
    """Report a tensor of repeats without `output_size`."""
    if op.waits() is None or on_host(op.subject):
        return None
    message = f"`{op.text}` sizes its result by the sum of the repeats; the host waits to read it"
    return op.finding(message, *op.waited_for)
