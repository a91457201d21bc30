"""Python asks a tensor whether it is true, as `if` does, and the host waits until the device has computed it.

Decide on the device: `torch.where` for values, masks for steps that may be skipped, `torch._assert_async` for
assertions. Where the host must decide, put the tests it can answer first, so that `and` and `or` ask the tensor last.

It happens in `if`, `while`, `assert`, `not`, `and`, `or`, conditional expressions, comprehensions, chained comparisons,
`any()` and `all()` of Python, `x in tensor` and `tensor in list`. Each evaluation waits once; a list of n tensors waits
up to n times. Shapes, dtypes, `is None`, `numel()`, `is_cuda` and numpy arrays are known to the host and not reported;
neither is `tensor.any()` that is not asked for its truth.
"""

from __future__ import annotations

from ..lint.inference.operations import Truth
from ..lint.inference.values import Tensor, options_of
from ..lint.rule import Report, rule

NAMED = {"a conditional expression", "a comprehension's condition", "a case's guard", "a chained comparison"}


@rule("SYNC104", "tensor-truth-value")
def check(op: Truth) -> Report | None:
    """Report a question for the truth of a tensor; a container of tensors is true by its length."""
    if not any(isinstance(value, Tensor) for value in options_of(op.value)):
        return None
    how = op.how if op.how in NAMED else f"`{op.how}`"
    return op.finding(f"`{op.text}`: {how} asks a tensor for its truth, and the host waits for the answer", op.value)
