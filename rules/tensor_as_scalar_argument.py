"""A tensor is passed where the operator takes a number or a size, and the host waits for its value.

Write the arithmetic with tensors (`x - rate * y` for `x.sub(y, alpha=rate)`), and keep sizes as Python numbers.

Arguments declared as numbers (`alpha=`, `value=`, fill values, range bounds, slopes, norms, sizes) are silently read
from a device tensor. Overloads that take tensors do not wait and are not reported: `clamp(min=t)`, `pow(t)`, `lerp`,
`fill_`, and all arithmetic. Rounding may differ in the last digit: `alpha=` and `value=` are fused into their
operators.
"""

from __future__ import annotations

from ..lint.facts.torch_ops import NUMBERS_READ
from ..lint.operations import Call, Convert, may_be_tensor
from ..lint.rule import Report, rule


@rule("SYNC109", "tensor-as-scalar-argument", calls=[name for row in NUMBERS_READ for name in row.names])
def check(op: Call | Convert) -> Report | None:
    """Report a tensor that is read because a number is expected."""
    if isinstance(op, Call):
        read = op.waited_for if op.is_torch else ()
        return op.finding(f"`{op.text}` reads a number from a tensor; the host waits for it", *read)
    if op.to != "number" or op.by.endswith("of `select`") or not may_be_tensor(op.value):
        return None
    return op.finding(f"`{op.text}`: {op.by} must be a number; the host waits for the tensor's value", op.value)
