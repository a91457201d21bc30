"""A Python number passed to a metric on the device is turned into a tensor there, by a copy that the host waits for.

Wrap it: `metric.update(torch.as_tensor(number))`; kernels take a zero-dimensional CPU tensor as a plain argument,
without a copy. A metric over numbers that only the host knows may also stay on the host.

A number as the weight costs the same, and so does a list of numbers. A loss that was read with `.item()` waits twice,
for the read and for the copy back; pass the tensor itself. Metrics on the host take numbers as they are and are not
reported.
"""

from __future__ import annotations

from ..lint.facts.torchmetrics import AGGREGATORS, UPDATES
from ..lint.inference.notes.operations import Call
from ..lint.inference.values.union import Host, Sequence, Value
from ..lint.inference.views.metrics import used_by
from ..lint.rule import Report, rule

NUMBERS = frozenset(("int", "float", "bool"))


@rule("SYNC403", "metric-python-scalar")
def check(op: Call) -> Report | None:
    """Report an update of an aggregator on the device with a number."""
    if op.last_name not in UPDATES or not any(map(_is_number, (*op.positional, *dict(op.keywords).values()))):
        return None
    for metric in used_by(op):
        if metric.name in AGGREGATORS and metric.state is not None:
            message = f"`{op.text}` copies a Python number to the device, and the host waits for the copy"
            return op.finding(message, metric.state)
    return None


def _is_number(value: Value) -> bool:
    match value:
        case Host(kind):
            return kind in NUMBERS
        case Sequence("list" | "tuple", items) if items:
            return all(map(_is_number, items))
    return False
