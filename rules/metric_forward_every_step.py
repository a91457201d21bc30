"""A metric computes its value every step although only the accumulated value is used: wasted work, and wasted waits.

Call `metric.update(…)` in the step and `metric.compute()` every N steps or at the end of the epoch.

Calling a metric updates it and also computes the value for the batch; `compute()` gathers from all processes in
distributed training; `compute_on_cpu=True` copies the metric's state to the host after each update, and waits. Calls
whose value is used are not reported, nor are metrics on the host. This rule is opt-in: on a single GPU, most metrics
only cost extra work here.
"""

from __future__ import annotations

from ..lint.facts.torchmetrics import AGGREGATORS, FOLLOWED, UPDATES
from ..lint.finding import Level
from ..lint.offers import Offer
from ..lint.operations import Call, is_on, metrics
from ..lint.rule import Report, rule


@rule("SYNC407", "metric-forward-every-step", default=False, calls=FOLLOWED)
def check(op: Call) -> Report | None:
    """Report a call that computes a metric's value every step."""
    metric = next(metrics.used_by(op), None)
    if metric is None or metric.state is None or op.frequency.level < Level.EVERY_STEP:
        return None
    words = _words(op, metric)
    return op.finding(f"`{op.text}` {words}", metric.state, offer=_offer(op, metric)) if words else None


def _offer(op: Call, metric: metrics.Metric) -> Offer | None:
    """Return the plain update, for metrics that do the same in a call; wrappers need not."""
    known = metric.name in AGGREGATORS or metric.row is not None
    if op.last_name != "__call__" or op.used or metric.is_derived or not known:
        return None
    return Offer("update-only", "call `update`, which does not compute the value", is_sure=False)


def _words(op: Call, metric: metrics.Metric) -> str:
    if op.last_name in UPDATES and is_on(metric.argument("compute_on_cpu")):
        return "copies the metric's state to the host, because `compute_on_cpu` is set, and the host waits"
    if op.last_name in ("forward", "__call__") and not op.used:
        return "also computes the value for the batch, which is never used"
    return "computes the metric, and gathers it from all processes, every step" if op.last_name == "compute" else ""
