"""A tensor is passed where the operator takes a number or a size, and the host waits for its value.

Write the arithmetic with tensors (`x - rate * y` for `x.sub(y, alpha=rate)`), and keep sizes as Python numbers.

Arguments declared as numbers (`alpha=`, `value=`, fill values, range bounds, slopes, norms, sizes) are silently read
from a device tensor. Overloads that take tensors do not wait and are not reported: `clamp(min=t)`, `pow(t)`, `lerp`,
`fill_`, and all arithmetic. Rounding may differ in the last digit: `alpha=` and `value=` are fused into their
operators.
"""

from __future__ import annotations

from ..lint.facts.torch_ops import NUMBERS_READ
from ..lint.offers import Offer
from ..lint.operations import Call, Convert, is_floating, is_scalar, is_seen_as_tensor, may_be_tensor
from ..lint.rule import Report, rule

STACKED = Offer(
    "listed-tensors-as-stack",
    "stack the tensors on the device",
    "tensors on different devices, and none at all, cannot be stacked",
    is_sure=False,
)
EXPANDED = Offer("repeated-tensor-as-expand", "expand the tensor on the device", is_sure=False)
FILLED = Offer(
    "filled-by-tensor",
    "fill with the tensor",
    "a value beyond the dtype's range becomes infinite instead of raising",
    is_sure=False,
)


@rule("SYNC109", "tensor-as-scalar-argument", calls=[name for row in NUMBERS_READ for name in row.names])
def check(op: Call | Convert) -> Report | None:
    """Report a tensor that is read because a number is expected."""
    if isinstance(op, Call):
        read = op.waited_for if op.is_torch else ()
        return op.finding(f"`{op.text}` reads a number from a tensor; the host waits for it", *read)
    if op.to != "number" or op.by.endswith("of `select`") or not may_be_tensor(op.value):
        return None
    message = f"`{op.text}`: {op.by} must be a number; the host waits for the tensor's value"
    return op.finding(message, op.value, offer=_offers(op))


def _offers(op: Convert) -> tuple[Offer, ...]:
    """Return what makes the same of a tensor without dimensions, as far as that is known."""
    if not is_scalar(op.value) or not is_seen_as_tensor(op.value):
        return ()
    if op.by == "an element for `tensor`":
        return EXPANDED, STACKED
    return (FILLED,) if op.by == "`fill_value` of `full`" and is_floating(op.value) else ()
