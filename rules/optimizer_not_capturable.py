"""The step of an optimizer that is not capturable is captured in a CUDA graph: an error.

Create the optimizer with `capturable=True`, which keeps its counters on the device.

Adam, AdamW, NAdam, RAdam, Adamax, ASGD, Adadelta, RMSprop and Rprop count their steps on the host otherwise, and raise
an exception in a capture. SGD counts nothing and can be captured as it is.
"""

from __future__ import annotations

from ..lint.captures import in_capture
from ..lint.facts.cuda_graphs import HEALTH_CHECKED
from ..lint.finding import Confidence, Kind
from ..lint.operations import UNKNOWN, Call, Instance, argument_of, may_be_on, options_of
from ..lint.rule import Report, rule


@rule("SYNC705", "optimizer-not-capturable", kind=Kind.BUG, calls=[f"{each}.step" for each in sorted(HEALTH_CHECKED)])
def check(op: Call) -> Report | None:
    """Report a captured step of an optimizer that is not capturable."""
    made = [each for each in options_of(op.receiver or UNKNOWN) if isinstance(each, Instance)]
    if op.captured is None or not op.name.startswith("torch.optim.") or not made:
        return None
    if any(may_be_on(argument_of(each, "capturable")) for each in made):
        return None
    message = f"`{op.text}` raises an exception in the capture of a CUDA graph: the optimizer is not capturable"
    found = op.finding(message, confidence=Confidence.CERTAIN)
    return None if found is None else in_capture(op, found)
