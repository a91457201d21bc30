"""A metric's value is made in every step, though only the accumulated one is read: work, and waits, for nothing.

Call `metric.update(…)` in the step and `metric.compute()` every N steps or at the end of the epoch.

Calling a metric updates it and computes the batch's value besides; `compute()` gathers from all processes under
distributed training; `compute_on_cpu=True` copies the kept tensors to the host after each update, and waits. A call
whose value is used is not reported, nor are metrics on the host. This rule is opt-in: on a single GPU most metrics
only cost work here.
"""

from __future__ import annotations

from ..lint.facts.torchmetrics import UPDATES
from ..lint.finding import Level
from ..lint.inference.metrics import Metric, used_by
from ..lint.inference.operations import Call
from ..lint.inference.values import Host
from ..lint.rule import Report, rule


@rule("SYNC407", "metric-forward-every-step", default=False)
def check(op: Call) -> Report | None:
    """Report what makes a metric's value in every step."""
    metric = next(used_by(op), None)
    if metric is None or metric.state is None or op.frequency.level < Level.EVERY_STEP:
        return None
    words = _words(op, metric)
    return op.finding(f"`{op.text}` {words}", metric.state) if words else None


def _words(op: Call, metric: Metric) -> str:
    if op.last_name in UPDATES and metric.argument("compute_on_cpu") == Host("bool", True):
        return "copies what the metric keeps to the host, because `compute_on_cpu` is set, and the host waits"
    if op.last_name in ("forward", "__call__") and not op.used:
        return "also computes the batch's value, which nobody reads"
    return "computes the metric, and gathers it from all processes, in every step" if op.last_name == "compute" else ""
