"""A tensor stands where the operator wants a number or a size, and the host waits for its value to pass it on.

Write the arithmetic with tensors (`x - rate * y` for `x.sub(y, alpha=rate)`), and keep sizes as Python numbers.

Arguments that are declared as numbers (`alpha=`, `value=`, fill values, ends of ranges, slopes, norms, sizes) are read
from a tensor of the device without a word. Overloads that take tensors do not wait and are not reported:
`clamp(min=t)`, `pow(t)`, `lerp`, `fill_`, and all arithmetic. Rounding may differ in the last digit: `alpha=` and
`value=` are fused into their operators.
"""

from __future__ import annotations

from ..lint.inference.operations import Call, Convert
from ..lint.inference.values import Tensor, Value, options_of
from ..lint.rule import Report, rule

FILLS = frozenset(("index_fill", "index_fill_"))


@rule("SYNC109", "tensor-as-scalar-argument")
def check(op: Call | Convert) -> Report | None:
    """Report a tensor that is read because a number is wanted."""
    if isinstance(op, Call):
        value = op.argument("value") if op.last_name in FILLS and op.is_torch else None
        if value is None:
            return None
        return op.finding(f"`{op.text}` reads the value to fill in to the host, which waits for it", value)
    if op.to != "number" or op.by.endswith("of `select`") or not _is_tensor(op.value):
        return None
    return op.finding(f"`{op.text}`: {op.by} is a number, and the host waits for the tensor's value", op.value)


def _is_tensor(value: Value) -> bool:
    return any(isinstance(option, Tensor) for option in options_of(value))
