"""An aggregating metric on the device asks on every update whether its input holds a NaN, and the host waits twice.

Make the metric with `nan_strategy="disable"` (TorchMetrics 1.6.2 and later) where no weight is passed to `update`; else
derive a class whose `_cast_and_nan_check_input` returns its arguments, or add up in a tensor of your own.

Every other strategy checks, a number to put in the place of NaN included: `if nans.any() or nans_weight.any()`.
Calling a `MaxMetric` or `MinMetric` updates it twice, which makes four waits. `"disable"` also replaces weights that
are passed by ones (up to 1.9.0 at least), so it is no cure for a weighted mean. Metrics on the host check for free,
and classes of your own that are derived from these are not reported. Reported is the constructor, which is where the
cure belongs.
"""

from __future__ import annotations

from ..lint.facts.torchmetrics import AGGREGATORS, NAN_CHECK_OFF_SINCE, UPDATES
from ..lint.finding import Kind
from ..lint.inference.metrics import made_by, update_frequency
from ..lint.inference.operations import Call
from ..lint.rule import Report, rule

WEIGHTED = (
    'This metric is given weights, which `nan_strategy="disable"` would replace by ones: derive a class whose '
    "`_cast_and_nan_check_input` returns its arguments, or add up `weight * value` and `weight` in two tensors."
)
OLDER = (
    "Derive a class whose `_cast_and_nan_check_input` returns its arguments, or require TorchMetrics 1.6.2, which has "
    '`nan_strategy="disable"` for metrics that are given no weights.'
)


@rule("SYNC402", "metric-nan-check", kind=Kind.SETUP)
def check(op: Call) -> Report | None:
    """Report the constructor of an aggregator on the device that does not disable the check."""
    metric = made_by(op)
    if metric is None or metric.name not in AGGREGATORS or metric.state is None:
        return None
    if metric.is_one_of([("nan_strategy", "disable")]):
        return None
    message = f"`{metric.name}` looks for NaN on every update, and the host waits for the answer"
    return op.finding(message, metric.state, frequency=update_frequency(op), instead=_instead(op))


def _instead(op: Call) -> str:
    """Advice for the case at hand; empty where the page's holds."""
    updates = [use for use in (op.life.uses if op.life else ()) if use.last_name in UPDATES]
    if any(len(use.positional) > 1 or use.keyword("weight") is not None for use in updates):
        return WEIGHTED
    return "" if op.versions.may_be("torchmetrics", since=NAN_CHECK_OFF_SINCE) else OLDER
