"""Whole tensors are compared to a Python bool, and the host waits for the comparison.

Keep the result on the device: `(a == b).all()` for `torch.equal`, `torch.isclose(a, b).all()` for `torch.allclose`, `t
!= 0` for `torch.is_nonzero`, `torch._assert_async` for assertions.

`torch.equal` on tensors of different shapes returns without waiting. `torch.testing.assert_close` waits several times
and belongs in tests.
"""

from __future__ import annotations

from ..lint.inference.notes.operations import Call
from ..lint.rule import Report, rule


@rule("SYNC108", "tensor-comparison-to-bool")
def check(op: Call) -> Report | None:
    """Report a comparison whose result is a Python bool."""
    wait = op.waits("equal", "allclose", "is_nonzero", "assert_close")
    if wait is None or (op.receiver is None and not op.positional):
        return None
    compared = ((op.receiver,) if op.receiver is not None else ()) + op.positional[:2]
    return op.finding(f"`{op.text}` {wait.because}; the host waits for it", *compared)
