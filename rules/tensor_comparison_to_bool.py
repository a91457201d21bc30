"""Whole tensors are compared to a Python bool, and the host waits for the comparison.

Keep the result on the device: `(a == b).all()` for `torch.equal`, `torch.isclose(a, b).all()` for `torch.allclose`, `t
!= 0` for `torch.is_nonzero`, `torch._assert_async` for assertions.

`torch.equal` on tensors of different shapes returns without waiting. `torch.testing.assert_close` waits several times
and belongs in tests.
"""

from __future__ import annotations

from ..lint.operations import Call
from ..lint.rule import Report, rule


@rule("SYNC108", "tensor-comparison-to-bool", calls=("equal", "allclose", "is_nonzero", "assert_close"))
def check(op: Call) -> Report | None:
    """Report a comparison whose result is a Python bool."""
    wait = op.waits()
    if wait is None:
        return None
    return op.finding(f"`{op.text}` {wait.because}; the host waits for it", *op.waited_for)
