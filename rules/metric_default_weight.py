"""`MeanMetric` without a weight copies its default weight 1.0 to the device on every update, and the host waits.

Pass weights created on the device: `metric.update(value, torch.ones_like(value))`; or require TorchMetrics 1.6.2, which
does so itself.

Before 1.6.2 the default weight was the Python number 1.0, which `update` turned into a tensor on the metric's device: a
copy from pageable memory. Metrics on the host are not reported, nor is `nan_strategy="disable"`, which only newer
versions support. Source: TorchMetrics 1.6.1 `aggregation.py`, CHANGELOG 1.6.2.
"""

from __future__ import annotations

from ..lint.facts.torchmetrics import NAN_CHECK_OFF_SINCE, UPDATES
from ..lint.offers import Offer
from ..lint.operations import Call, Tensor, metrics
from ..lint.rule import Report, rule


@rule("SYNC401", "metric-default-weight", calls=UPDATES)
def check(op: Call) -> Report | None:
    """Report an update of a mean without a weight."""
    if not op.versions.may_be("torchmetrics", until=NAN_CHECK_OFF_SINCE):
        return None
    for metric in metrics.used_by(op):
        weighted = len(op.positional) > 1 or op.keyword("weight") is not None
        if metric.name != "MeanMetric" or weighted or metric.is_one_of([("nan_strategy", "disable")]):
            continue
        if metric.state is not None:
            message = f"`{op.text}` copies the default weight 1.0 to the device, and the host waits for the copy"
            is_plain = len(op.positional) == 1 and isinstance(op.positional[0], Tensor) and not metric.is_derived
            offer = Offer("weight-like-value", "pass a weight created on the device") if is_plain else None
            return op.finding(f"{message} (before TorchMetrics {NAN_CHECK_OFF_SINCE})", metric.state, offer=offer)
    return None
