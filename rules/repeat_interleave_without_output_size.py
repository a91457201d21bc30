"""`repeat_interleave` with a tensor of repeats sums them to size its result, and the host waits for the sum.

Pass `output_size=`, the sum as a Python number, where the data set or an earlier step knows it.

A Python number of repeats never waits and is not reported. A wrong `output_size` is an error.
"""

from __future__ import annotations

from ..lint.inference.operations import Call
from ..lint.inference.values import UNKNOWN, Value
from ..lint.rule import Report, rule


@rule("SYNC205", "repeat-interleave-without-output-size")
def check(op: Call) -> Report | None:
    """Report a tensor of repeats without `output_size`."""
    if op.waits("repeat_interleave") is None:
        return None
    message = f"`{op.text}` is as long as its repeats add up to; the host waits for their sum"
    return op.finding(message, _repeats(op))


def _repeats(op: Call) -> Value:
    """The argument `repeats`, which is the second one of the function, or its only one, and the first of the method."""
    if (named := op.keyword("repeats")) is not None:
        return named
    if not op.positional:
        return UNKNOWN
    return op.positional[1] if op.receiver is None and len(op.positional) > 1 else op.positional[0]
