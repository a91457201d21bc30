"""`unique` returns as many values as are distinct, and the host waits to learn how many.

Sort, and mark where a neighbour differs: `(s[1:] != s[:-1]).sum() + 1` counts the distinct values of a sorted `s`,
`torch.where` keeps them in a result of fixed size.
Where the values are few and known, `zeros(K).scatter_add_` counts them.

`unique(dim=…)` and `unique_consecutive(dim=…)` wait as well, in a library that torch's sync debug mode does not watch.
numpy's and pandas' `unique` are not reported.
"""

from __future__ import annotations

from ..lint.inference.operations import Call
from ..lint.rule import Report, rule


@rule("SYNC202", "unique-call")
def check(op: Call) -> Report | None:
    """Report `unique` and `unique_consecutive` of a tensor that may be on the device."""
    if op.waits("unique", "unique_consecutive") is None:
        return None
    message = f"`{op.text}` returns as many values as are distinct; the host waits for their number"
    return op.finding(message, op.subject, confidence=op.by_name)
