"""An input of a CUDA graph is bound to another tensor before a replay, which reads the memory of the old one.

Copy into the tensor that was captured: `static_input.copy_(batch)`.

A graph reads the addresses that it has seen while it was captured, whatever the program's names stand for later. The
rule reports a tensor that the capture reads, under a name or an attribute, that an assignment binds between the capture
and a replay of the same graph. What is only reshaped or moved in place of itself (`x = x.view(…)`) is left alone.
"""

from __future__ import annotations

from ..lint.finding import Kind
from ..lint.operations import Batch, Host, Rebound, Tensor, options_of
from ..lint.rule import Report, rule


@rule("SYNC707", "input-rebound-before-replay", kind=Kind.BUG)
def check(op: Rebound) -> Report | None:
    """Report a tensor that was captured, and whose name is bound to another."""
    tensors = [each for each in options_of(op.value) if isinstance(each, Tensor | Batch)]
    if op.added or not tensors or any(isinstance(each, Host) for each in options_of(op.before)):
        return None
    message = (
        f"`{op.key}` is bound to another tensor than the graph captured in line {op.row}: a replay reads the old one"
    )
    return op.finding(message, *tensors)
