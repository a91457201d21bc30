"""A number is bound anew after a CUDA graph was captured that has read it: each replay computes with the old one.

Keep what changes in a tensor on the device, and fill that between replays: `scale.fill_(value)`. Or capture again.

A graph is a list of kernels with their arguments. A number of Python is an argument, and a flag has decided which
kernels there are: both stay what they were when the graph was captured. The rule reports a number or a flag that the
capture reads, and that an assignment binds between the capture and a replay of the same graph.
"""

from __future__ import annotations

from ..lint.finding import Confidence, Kind
from ..lint.operations import Host, Rebound, options_of
from ..lint.rule import Report, rule

NUMBERS = frozenset(("int", "float", "bool", "complex"))


@rule("SYNC706", "host-value-baked-in", kind=Kind.BUG)
def check(op: Rebound) -> Report | None:
    """Report a number that was captured, and is bound to another."""
    before, after = options_of(op.before), options_of(op.value)
    if not all(isinstance(each, Host) and each.kind in NUMBERS for each in (*before, *after)):
        return None
    known = {each.constant for each in (*before, *after) if isinstance(each, Host)}
    if len(known) == 1 and ... not in known:
        return None
    message = f"`{op.key}` is a number that the graph has captured in line {op.row}: a replay computes with what it was"
    return op.finding(message, confidence=Confidence.CERTAIN)
