"""`repeat_interleave` with a tensor of repeats sums them to size its result, and the host waits for the sum.

Pass `output_size=`, the sum as a Python number, if the data set or an earlier step knows it.

A Python number of repeats never waits and is not reported. A wrong `output_size` is an error.
"""

from __future__ import annotations

from ..lint.inference.notes.operations import Call
from ..lint.inference.values.union import UNKNOWN, Value
from ..lint.rule import Report, rule


@rule("SYNC205", "repeat-interleave-without-output-size")
def check(op: Call) -> Report | None:
    """Report a tensor of repeats without `output_size`."""
    if op.waits("repeat_interleave") is None:
        return None
    message = f"`{op.text}` sizes its result by the sum of the repeats; the host waits to read it"
    return op.finding(message, _repeats(op))


def _repeats(op: Call) -> Value:
    """Return the `repeats` argument: the second (or only) one of the function, the first of the method."""
    if (named := op.keyword("repeats")) is not None:
        return named
    if not op.positional:
        return UNKNOWN
    return op.positional[1] if op.receiver is None and len(op.positional) > 1 else op.positional[0]
