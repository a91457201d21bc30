"""A Python loop goes through the elements of a device tensor and reads each on the host: a wait for every element.

Compute on the whole tensor instead of its elements; where Python needs the numbers, copy them once before the loop with
`.tolist()`.

The reads in the body are reported as well; this rule names the loop, which is where the cure belongs. A loop over a
tensor whose elements stay on the device launches many small kernels but does not wait, and is not reported.
"""

from __future__ import annotations

from ..lint.inference import certainty
from ..lint.inference.operations import Iterate
from ..lint.inference.values import Tensor
from ..lint.rule import Report, rule


@rule("SYNC604", "loop-over-device-elements")
def check(op: Iterate) -> Report | None:
    """Report a loop over a tensor, or over its indices, whose body reads the elements on the host."""
    if not isinstance(op.value, Tensor) or certainty.of(op.reads) is None:
        return None
    return op.finding(f"the loop over `{op.text}` reads elements of a tensor on the host, one wait for each", op.value)
