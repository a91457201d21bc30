"""A Python number passed to a metric on the device is turned into a tensor there, by a copy that the host waits for.

Wrap it: `metric.update(torch.as_tensor(number))`; kernels take a zero-dimensional CPU tensor as a plain argument,
without a copy. A metric over numbers that only the host knows may also stay on the host.

A number as the weight costs the same, and so does a list of numbers. A loss that was read with `.item()` waits twice,
for the read and for the copy back; pass the tensor itself. Metrics on the host take numbers as they are and are not
reported.
"""

from __future__ import annotations

from ..lint.facts.torchmetrics import AGGREGATORS, UPDATES
from ..lint.offers import Offer
from ..lint.operations import Call, Sequence, Value, is_number, metrics
from ..lint.rule import Report, rule

REDUCING = frozenset(("MeanMetric", "SumMetric", "MaxMetric", "MinMetric"))


@rule("SYNC403", "metric-python-scalar", calls=UPDATES)
def check(op: Call) -> Report | None:
    """Report an update of an aggregator on the device with a number."""
    if not any(map(_is_number, op.arguments)):
        return None
    for metric in metrics.used_by(op):
        if metric.name in AGGREGATORS and metric.state is not None:
            message = f"`{op.text}` copies a Python number to the device, and the host waits for the copy"
            return op.finding(message, metric.state, offer=_offer(op, metric))
    return None


def _offer(op: Call, metric: metrics.Metric) -> Offer | None:
    """Return the number as a tensor on the host; `CatMetric` would mix it with others on the device."""
    is_one = len(op.positional) == 1 and not op.keywords and is_number(op.positional[0])
    if not is_one or metric.is_derived or metric.name not in REDUCING:
        return None
    return Offer("number-as-tensor", "pass a zero-dimensional tensor, which kernels take without a copy")


def _is_number(value: Value) -> bool:
    if isinstance(value, Sequence) and value.kind in ("list", "tuple") and value.items:
        return all(map(_is_number, value.items))
    return is_number(value)
