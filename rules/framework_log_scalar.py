"""A framework's logger copies a Python number to the device, or reads a tensor to the host, every step.

Pass `self.log` a device tensor and use `prog_bar` rarely or not at all; set `logging_nan_inf_filter=False`; log tensors
every N steps.

Lightning turns a number into a tensor on the module's device, a copy that waits; a metric on the progress bar is read
at every refresh. The Transformers Trainer checks every step whether the loss is NaN or infinite, and waits twice,
unless `logging_nan_inf_filter` is off. `wandb.log` reads each tensor it is given. `self.log(name, tensor)` keeps the
tensor on the device and is not reported.
"""

from __future__ import annotations

from ..lint.facts.logging_frameworks import LIGHTNING_LOGS, READERS, TRAINING_ARGUMENTS
from ..lint.finding import Confidence, Frequency, Kind, Level, Reason
from ..lint.offers import OVERFLOW, Offer
from ..lint.operations import Call, Value, is_number, is_off, is_on, is_written_number, items_of
from ..lint.rule import Report, rule

UNCHECKED = "a loss that is NaN or infinite is then part of the logged mean"
EVERY_STEP = Frequency(Level.EVERY_STEP, (Reason("the Trainer checks every step"),), assumed=True)


@rule("SYNC408", "framework-log-scalar", calls=("log", "log_dict", *TRAINING_ARGUMENTS))
def check(op: Call) -> Report | None:
    """Report a logging call that copies or reads every step."""
    if op.name in LIGHTNING_LOGS:
        return _lightning(op)
    if op.name in READERS:
        given = next(iter(op.positional), None)
        return op.finding(f"`{op.text}` reads each tensor it is given, and the host waits for each", *_values(given))
    if op.last_name in TRAINING_ARGUMENTS and op.name.startswith("transformers."):
        return _trainer(op)
    return None


def _lightning(op: Call) -> Report | None:
    at = 1 if op.last_name == "log" else 0
    given = op.keyword("value" if at else "dictionary") or (op.positional[at] if len(op.positional) > at else None)
    if any(map(is_number, _values(given))):
        message = f"`{op.text}` copies a Python number to the device, and the host waits for the copy"
        unsafe = "" if all(map(is_written_number, _values(given))) else OVERFLOW
        filled = Offer("logged-number-as-full", "pass a tensor filled on the device", unsafe)
        return op.finding(message, confidence=Confidence.LIKELY, offer=filled if at else None)
    if is_on(op.keyword("prog_bar")) and not is_off(op.keyword("on_step")):
        message = f"`{op.text}` shows a value on the progress bar, and the host waits for it at every refresh"
        return op.finding(message, confidence=Confidence.LIKELY)
    return None


def _values(given: Value | None) -> tuple[Value, ...]:
    return () if given is None else items_of(given)


def _trainer(op: Call) -> Report | None:
    if is_off(op.keyword("logging_nan_inf_filter")) or is_on(op.keyword("use_cpu")) or is_on(op.keyword("no_cuda")):
        return None
    message = "the Trainer checks whether the loss is NaN or infinite, and the host waits for the result"
    message += ", because `logging_nan_inf_filter` is on by default"
    offer = Offer("keyword", "turn the check off", UNCHECKED, details=("logging_nan_inf_filter", "False"))
    return op.finding(message, confidence=Confidence.LIKELY, frequency=EVERY_STEP, kind=Kind.SETUP, offer=offer)
