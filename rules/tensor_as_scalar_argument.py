"""A tensor is passed where the operator takes a number or a size, and the host waits for its value.

Write the arithmetic with tensors (`x - rate * y` for `x.sub(y, alpha=rate)`), and keep sizes as Python numbers.

Arguments declared as numbers (`alpha=`, `value=`, fill values, range bounds, slopes, norms, sizes) are silently read
from a device tensor. Overloads that take tensors do not wait and are not reported: `clamp(min=t)`, `pow(t)`, `lerp`,
`fill_`, and all arithmetic. Rounding may differ in the last digit: `alpha=` and `value=` are fused into their
operators.
"""

from __future__ import annotations

from ..lint.facts.torch_ops import VALUES_READ
from ..lint.inference.notes.operations import Call, Convert
from ..lint.inference.values.union import Tensor, Value, options_of
from ..lint.rule import Report, rule


@rule("SYNC109", "tensor-as-scalar-argument")
def check(op: Call | Convert) -> Report | None:
    """Report a tensor that is read because a number is expected."""
    if isinstance(op, Call):
        return op.finding(f"`{op.text}` reads a number from a tensor; the host waits for it", *_read(op))
    if op.to != "number" or op.by.endswith("of `select`") or not _is_tensor(op.value):
        return None
    return op.finding(f"`{op.text}`: {op.by} must be a number; the host waits for the tensor's value", op.value)


def _read(op: Call) -> list[Value]:
    """Return the arguments that are read if they are tensors; those of a masked fill belong to SYNC204."""
    if not op.is_torch or op.last_name in ("masked_fill", "masked_fill_"):
        return []
    found = (op.argument(name) for name in VALUES_READ.get(op.last_name, ()))
    return [value for value in found if value is not None]


def _is_tensor(value: Value) -> bool:
    return any(isinstance(option, Tensor) for option in options_of(value))
