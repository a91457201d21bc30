"""`nn.DataParallel` drives all GPUs from one process, copies the model every step and gathers outputs on one GPU.

Use `DistributedDataParallel`, with one process per GPU.

Every step, the model is copied to each GPU and the outputs are gathered on the first, which does more work than the
others and has less memory left. If it has to stay, compute the loss inside `forward`, so that a number is gathered
instead of every output. With a single GPU nothing is copied, so the report is a note unless `device_ids` lists several;
with a single entry there, nothing is reported.
"""

from __future__ import annotations

from ..lint.facts.hidden_checks import PARALLEL
from ..lint.finding import Confidence, Frequency, Kind, Level, Reason, Severity
from ..lint.operations import Call, Sequence
from ..lint.rule import Report, rule

EVERY_STEP = Frequency(Level.EVERY_STEP, (Reason("a model runs every step"),), assumed=True)


@rule("SYNC603", "data-parallel", kind=Kind.SETUP, calls=PARALLEL)
def check(op: Call) -> Report | None:
    """Report a call that splits batches across GPUs in one process."""
    if not op.name.startswith("torch.nn."):
        return None
    given = op.argument("device_ids")
    listed = given.items if isinstance(given, Sequence) else None
    if listed is not None and len(listed) < 2:
        return None
    message = f"with more than one GPU, `{op.text}` copies the model to each and gathers its outputs on one, every step"
    cap = Severity.ERROR if listed else Severity.NOTE
    return op.finding(message, confidence=Confidence.LIKELY, frequency=EVERY_STEP, cap=cap)
