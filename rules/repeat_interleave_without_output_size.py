"""`repeat_interleave` with a tensor of repeats sums them to size its result, and the host waits for the sum.

Pass `output_size=`, the sum as a Python number, where the data set or an earlier step knows it.

A Python number of repeats never waits and is not reported. A wrong `output_size` is an error.
"""

from __future__ import annotations

from ..lint.inference.operations import Call
from ..lint.rule import Report, rule


@rule("SYNC205", "repeat-interleave-without-output-size")
def check(op: Call) -> Report | None:
    """Report a tensor of repeats without `output_size`."""
    if op.waits("repeat_interleave") is None:
        return None
    alone = op.name == "torch.repeat_interleave" and len(op.positional) < 2
    repeats = op.keyword("repeats") or (op.positional[-1 if alone else _place(op)] if op.positional else None)
    if repeats is None:
        return None
    message = f"`{op.text}` is as long as its repeats add up to; the host waits for their sum"
    return op.finding(message, repeats)


def _place(op: Call) -> int:
    return 1 if op.name == "torch.repeat_interleave" else 0
