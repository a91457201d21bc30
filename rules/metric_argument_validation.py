"""A classification metric on the device validates its inputs on every update, and the host waits.

Pass `validate_args=False` once the first batches have passed validation.

The check calls `unique` to find the distinct values and reads the result. Multiclass metrics skip it for predictions
that are scores, and are reported only if they are seen to be given integers. Metrics that wait despite
`validate_args=False` are reported by SYNC406. Metrics on the host are not reported. The finding is on the constructor,
where the fix belongs.
"""

from __future__ import annotations

from ..lint.facts.torchmetrics import UNCHECKED_BY_DEFAULT, UPDATES
from ..lint.finding import Kind
from ..lint.offers import Offer
from ..lint.operations import Call, Tensor, may_be_floating, metrics
from ..lint.rule import Report, rule

OFF = Offer(
    "keyword",
    "turn the validation off",
    "invalid inputs are no longer refused",
    details=("validate_args", "False"),
)


@rule("SYNC405", "metric-argument-validation", kind=Kind.SETUP)
def check(op: Call) -> Report | None:
    """Report the constructor of a metric on the device whose input validation waits."""
    metric = metrics.made_by(op)
    if metric is None or metric.state is None or (row := metric.row) is None or row.check is None:
        return None
    is_off = metric.is_one_of([("validate_args", False)])
    if not metric.has("validate_args") and metric.name in UNCHECKED_BY_DEFAULT:
        is_off = True
    if is_off or (row.integers and not _given_integers(op)):
        return None
    message = f"`{metric.name}` {row.check.words} on every update, and the host waits"
    return op.finding(message, metric.state, frequency=metrics.update_frequency(op), offer=OFF)


def _given_integers(op: Call) -> bool:
    """Whether some update is given integer predictions."""
    updates = [use for use in (op.life.uses if op.life else ()) if use.last_name in UPDATES]
    given = [use.keyword("preds") or next(iter(use.positional), None) for use in updates]
    return any(isinstance(value, Tensor) and not may_be_floating(value) for value in given)
