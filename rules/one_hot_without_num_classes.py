"""`one_hot` without `num_classes` reads the largest class to size its result, and the host waits for it.

Pass `num_classes=`. An out-of-range class then becomes a device-side error.

`num_classes=-1` is the default and means "read it".
"""

from __future__ import annotations

from ..lint.operations import Call, Host
from ..lint.rule import Report, rule


@rule("SYNC207", "one-hot-without-num-classes", calls=("one_hot",))
def check(op: Call) -> Report | None:
    """Report `one_hot` that has to find the largest class."""
    if op.waits() is None or op.argument("num_classes") not in (None, Host("int", -1)):
        return None
    return op.finding(f"`{op.text}` sizes its result by the largest class; the host waits to read it", *op.waited_for)
