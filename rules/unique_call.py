"""`unique` returns the distinct values, and the host waits to learn how many there are.

Sort, and mark where neighbours differ: `(s[1:] != s[:-1]).sum() + 1` counts the distinct values of a sorted `s`, and
`torch.where` keeps them in a result of fixed size. If the values are few and known, count them with
`zeros(K).scatter_add_`.

`unique(dim=…)` and `unique_consecutive(dim=…)` wait as well, in a library that torch's sync debug mode does not watch.
The `unique` of numpy and pandas is not reported.
"""

from __future__ import annotations

from ..lint.offers import Offer
from ..lint.operations import Call, is_seen_as_tensor
from ..lint.rule import Report, rule

SORTED = Offer(
    "distinct-by-sorting",
    "count where sorted neighbours differ",
    "an empty tensor counts as one value, and what is not chosen is computed as well: if it is NaN or infinite, so may "
    "the gradients be",
    is_sure=False,
)


@rule("SYNC202", "unique-call", calls=("unique", "unique_consecutive"))
def check(op: Call) -> Report | None:
    """Report `unique` and `unique_consecutive` on a tensor that may be on the device."""
    if op.waits() is None:
        return None
    message = f"`{op.text}` sizes its result by the number of distinct values; the host must wait for the count"
    offer = SORTED if is_seen_as_tensor(op.subject) else None
    return op.finding(message, *op.waited_for, confidence=op.by_name, offer=offer)
