"""A matrix routine asks on the host whether it succeeded, and waits for the device.

Call the `_ex` form (`inv_ex`, `cholesky_ex`, `solve_ex`, `lu_factor_ex`), which returns `info` instead of asking.

A matrix that cannot be factorised then gives infinities or NaN instead of an exception; keep `info` on the device and
look at it every N steps. Eigenvalues, singular values, `pinv`, `matrix_rank` and `lstsq` have no such form: for them
this is a note. `det`, `slogdet`, `qr`, `lu`, `solve_triangular`, vector norms and the Frobenius norm ask nothing.
"""

from __future__ import annotations

from ..lint.facts.torch_linalg import EX, ROWS, Check
from ..lint.finding import Severity
from ..lint.inference.library_objects import as_tensor
from ..lint.inference.objects import passed
from ..lint.inference.operations import Call
from ..lint.inference.values import NONE, Host, Value
from ..lint.rule import Report, rule

NO_CURE = "There is no form without the check: do without the call in a step, or make it for several steps at once."


@rule("SYNC503", "linalg-error-check")
def check(op: Call) -> Report | None:
    """Report a routine whose row says that it checks."""
    row = ROWS.get(op.name)
    if row is None or not _checks(op, row):
        return None
    instead = f"Use `{row.instead}`; {EX}." if row.instead.startswith("torch.") else ""
    return op.finding(
        f"`{op.text}` asks the device whether it succeeded, and the host waits for the answer",
        as_tensor(op.subject),
        instead=instead or (f"Call {row.instead}." if row.instead else NO_CURE),
        cap=Severity.ERROR if row.instead else Severity.NOTE,
    )


def _checks(op: Call, row: Check) -> bool:
    if not row.needs:
        return True
    given = op.argument(row.needs) or passed(op, row.needs)
    if given is None:
        return None in row.among
    return _constant(given) in row.among


def _constant(value: Value) -> object:
    """The literal that an argument is; something no row names where it is not known."""
    if value == NONE:
        return None
    return value.constant if isinstance(value, Host) else ...
