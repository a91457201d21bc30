"""An aggregation metric on the device checks its input for NaN on every update, and the host waits twice.

Create the metric with `nan_strategy="disable"` (TorchMetrics 1.6.2 and later) if no weight is passed to `update`;
otherwise subclass it with a `_cast_and_nan_check_input` that returns its arguments, or accumulate in a tensor of your
own.

Every other strategy checks, including a number to replace NaN with: `if nans.any() or nans_weight.any()`. Calling a
`MaxMetric` or `MinMetric` updates it twice, which makes four waits. `"disable"` also replaces the weights you pass by
ones (up to 1.9.0 at least), so it is not a fix for a weighted mean. On the host the check is free, so metrics there are
not reported, nor are your own subclasses of these metrics. The finding is on the constructor, where the fix belongs.
"""

from __future__ import annotations

from ..lint.facts.torchmetrics import AGGREGATORS, NAN_CHECK_OFF_SINCE, UPDATES
from ..lint.finding import Kind
from ..lint.offers import Offer
from ..lint.operations import Call, metrics
from ..lint.rule import Report, rule

WEIGHTED = (
    'This metric is given weights, which `nan_strategy="disable"` would replace by ones: subclass it with a '
    "`_cast_and_nan_check_input` that returns its arguments, or sum `weight * value` and `weight` in two tensors."
)
OLDER = (
    "Subclass it with a `_cast_and_nan_check_input` that returns its arguments, or require TorchMetrics 1.6.2, which "
    'has `nan_strategy="disable"` for metrics without weights.'
)

OFF = Offer(
    "keyword",
    "turn the check off",
    "NaN then enters the result instead of being removed with a warning",
    details=("nan_strategy", '"disable"'),
)


@rule("SYNC402", "metric-nan-check", kind=Kind.SETUP)
def check(op: Call) -> Report | None:
    """Report the constructor of an aggregator on the device that does not disable the check."""
    metric = metrics.made_by(op)
    if metric is None or metric.name not in AGGREGATORS or metric.state is None:
        return None
    if metric.is_one_of([("nan_strategy", "disable")]):
        return None
    message = f"`{metric.name}` checks for NaN on every update, and the host waits for the result"
    instead = _instead(op)
    offer = None if instead else OFF
    return op.finding(message, metric.state, frequency=metrics.update_frequency(op), instead=instead, offer=offer)


def _instead(op: Call) -> str:
    """Return advice for this case; empty if the rule's own advice applies."""
    updates = [use for use in (op.life.uses if op.life else ()) if use.last_name in UPDATES]
    if any(len(use.positional) > 1 or use.keyword("weight") is not None for use in updates):
        return WEIGHTED
    return "" if op.versions.may_be("torchmetrics", since=NAN_CHECK_OFF_SINCE) else OLDER
