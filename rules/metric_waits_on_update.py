"""The metric waits on every update: it counts with `bincount`, selects by masks, or copies numbers.

Choose arguments that only compare (`average="micro"` without `ignore_index`), accumulate a confusion matrix with
`scatter_add_`, or update the metric every N steps.

`MulticlassAccuracy` and its relatives use a macro average by default and count with `bincount`; the wrappers
(`Accuracy(task="multiclass")`) use a micro average by default and do not wait. `ignore_index` drops entries by masks in
both. `torch.use_deterministic_algorithms(True)` makes TorchMetrics count without `bincount`, at the cost of memory.
Metrics with `thresholds` use `bincount` only for batches of moderate size. Metrics on the host are not reported. Which
metrics wait, and why, was determined by running them: TorchMetrics 1.6.1 and 1.9.0.
"""

from __future__ import annotations

from ..lint.facts.torchmetrics import UPDATES, Cause
from ..lint.operations import Call, metrics
from ..lint.rule import Report, rule


@rule("SYNC406", "metric-waits-on-update", calls=UPDATES)
def check(op: Call) -> Report | None:
    """Report the update of a metric on the device that waits."""
    for metric in metrics.used_by(op):
        if metric.state is None or metric.is_derived or (cause := _cause(op, metric)) is None:
            continue
        message = f"`{metric.name}` {cause.words}, and the host waits"
        return op.finding(message, metric.state, instead=_instead(metric))
    return None


def _instead(metric: metrics.Metric) -> str:
    """Return advice for this kind of metric; empty if the rule's own advice applies."""
    row = metric.row
    return f"{row.cheaper}; or update the metric every N steps." if row is not None and row.cheaper else ""


def _cause(op: Call, metric: metrics.Metric) -> Cause | None:
    """Return why an update of the metric waits; None if its arguments avoid the wait."""
    row = metric.row
    if row is None or not op.versions.may_be("torchmetrics", until=row.until):
        return None
    needed = not row.needs or metric.has(row.needs)
    if row.update is not None and needed and not metric.is_one_of(row.spared_by):
        return row.update
    if row.ignore is not None and metric.has("ignore_index") and not metric.is_one_of(row.ignore_spared_by):
        return row.ignore
    return None
