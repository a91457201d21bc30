"""A metric stays on the host in a program that communicates over NCCL: `compute()` gathers across processes and fails.

Keep it local with `sync_on_compute=False`, move it to the GPU, or set up both backends:
`init_process_group("cpu:gloo,cuda:nccl")`.

The error is `RuntimeError: No backend type associated with device type cpu`, raised where the metric is computed, often
long after the start and only with several processes. Metrics that are moved to a device, registered on a module, or
never computed are not reported; neither are programs whose backend is gloo, is chosen elsewhere, or is left to
`init_process_group()`, which then sets up one backend per device type.
"""

from __future__ import annotations

from ..lint.finding import Confidence, Kind
from ..lint.offers import Offer
from ..lint.operations import Call, Host, Value, metrics, options_of
from ..lint.rule import Report, rule

OFF = Offer(
    "keyword",
    "keep the metric local",
    "the value is that of each process, no longer of all",
    details=("sync_on_compute", "False"),
)


@rule("SYNC404", "cpu-metric-under-ddp", kind=Kind.BUG)
def check(op: Call) -> Report | None:
    """Report the constructor of a metric that stays on the host and is computed, in a file that sets up NCCL."""
    metric = metrics.made_by(op)
    if metric is None or op.life is None or metric.state is not None:
        return None
    if metric.is_one_of([("sync_on_compute", False), ("distributed_available_fn", ...)]) or not _computed(op):
        return None
    sure = _nccl(op.life.groups)
    message = f"`{metric.name}` stays on the host, so `compute()` fails: it gathers over NCCL, which needs GPU tensors"
    return None if sure is None else op.finding(message, confidence=sure, offer=OFF)


def _computed(op: Call) -> bool:
    uses = op.life.uses if op.life else ()
    return any(use.last_name == "compute" for use in uses)


def _nccl(groups: tuple[Call, ...]) -> Confidence | None:
    """Return the confidence that NCCL is the only backend that is set up; None if it is not."""
    started = [_backend(call) for call in groups if call.last_name == "init_process_group"]
    if not started:
        return Confidence.LIKELY if groups else None
    if all(backend is not None and _is_nccl(backend) for backend in started):
        return Confidence.CERTAIN
    return None


def _backend(call: Call) -> Value | None:
    return call.keyword("backend") or next(iter(call.positional), None)


def _is_nccl(backend: Value) -> bool:
    return any(isinstance(option, Host) and option.constant in ("nccl", "cuda:nccl") for option in options_of(backend))
