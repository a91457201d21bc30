"""Python's `max`, `min` or `sorted` compares tensors, and the host waits for each comparison.

Write `torch.maximum(a, b)`, `torch.stack(tensors).amax()` or `torch.stack(tensors).sort()`, and `clamp` if one bound is
a number.

The builtin takes the truth value of every comparison: n tensors wait n - 1 times. `sum`, `abs` and `pow` do not compare
and are not reported.
"""

from __future__ import annotations

from ..lint.operations import Compare, may_be_tensor
from ..lint.rule import Report, rule


@rule("SYNC107", "python-builtin-on-tensors")
def check(op: Compare) -> Report | None:
    """Report a builtin that compares tensors."""
    compared = [value for value in op.values if may_be_tensor(value)]
    if len(op.values) < 2 and not op.many:
        return None
    return op.finding(f"`{op.text}` compares tensors, and the host waits for each comparison", *compared)
