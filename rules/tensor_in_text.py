"""A tensor is formatted as text, for a log, a print or a progress bar, and the host waits until it is computed.

Keep the detached tensor and format it every N steps: one read of several stacked values costs one wait.

The rule reports f-strings, `format`, `%`, `str()`, `repr()`, `print()`, logging above the `debug` level, `add_scalar`
and the like of TensorBoard, and the postfix of a progress bar. The text of a list, tuple, set or dict shows the tensors
in it. Printing a tensor of several elements waits several times. A logging call with `%s` formats nothing while its
level is disabled. The text of a shape, dtype or device is known to the host, and text on the way to an exception is
formatted only once; neither is reported.
"""

from __future__ import annotations

from ..lint.facts.logging_frameworks import SHOWN, WRITTEN
from ..lint.operations import Call, Convert, Value, in_text
from ..lint.rule import Report, rule


@rule("SYNC106", "tensor-in-text", calls=(*WRITTEN, *SHOWN))
def check(op: Call | Convert) -> Report | None:
    """Report a tensor that is formatted as text."""
    if isinstance(op, Convert):
        if op.to != "str":
            return None
        by = f"`{op.by}`" if op.by.endswith("()") else op.by
        return op.finding(
            f"`{op.text}`: {by} formats a tensor as text, and the host waits for its value", *in_text(op.value)
        )
    shown = [each for value in _shown(op) for each in in_text(value)]
    return op.finding(f"`{op.text}` shows a tensor, and the host waits for its value", *shown)


def _shown(op: Call) -> tuple[Value, ...]:
    """Return the arguments that a writer or progress bar shows."""
    if op.last_name in SHOWN:
        return (*op.positional[:1], *(value for key, value in op.keywords if key != "refresh"))
    written = op.argument(WRITTEN[op.last_name])
    return () if written is None else (written,)
