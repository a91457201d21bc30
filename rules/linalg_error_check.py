"""A linear algebra routine checks on the host whether it succeeded, and waits for the device.

Call the `_ex` variant (`inv_ex`, `cholesky_ex`, `solve_ex`, `lu_factor_ex`), which returns `info` instead of checking
it.

A matrix that cannot be factorized then yields infinities or NaN instead of an exception; keep `info` on the device and
check it every N steps. Eigenvalues, singular values, `pinv`, `matrix_rank` and `lstsq` have no such variant, so for
them this is a note. `det`, `slogdet`, `qr`, `lu`, `solve_triangular`, vector norms and the Frobenius norm check
nothing.
"""

from __future__ import annotations

from ..lint.facts.torch_linalg import EX, NAMES, ROWS, Check
from ..lint.finding import Severity
from ..lint.offers import Offer
from ..lint.operations import NONE, Call, Host, Value, as_tensor
from ..lint.rule import Report, rule

WITH_VARIANT = frozenset(f"torch.linalg.{name}" for name in ("inv", "cholesky", "solve", "lu_factor"))
UNCHECKED = Offer(
    "unchecked-routine",
    "call the variant that does not check",
    "a matrix that cannot be factorized yields infinities or NaN instead of an exception",
    is_sure=False,
    is_display=True,
)
NO_CURE = "No variant skips the check: avoid the call in the training step, or batch it over several steps."


@rule("SYNC503", "linalg-error-check", calls=NAMES)
def check(op: Call) -> Report | None:
    """Report a routine whose row in the facts says that it checks for errors."""
    row = ROWS.get(op.name)
    if row is None or not _checks(op, row):
        return None
    instead = f"Use `{row.instead}`; {EX}." if row.instead.startswith("torch.") else ""
    return op.finding(
        f"`{op.text}` checks for errors, and the host waits for the result",
        as_tensor(op.subject),
        instead=instead or (f"Call {row.instead}." if row.instead else NO_CURE),
        cap=Severity.ERROR if row.instead else Severity.NOTE,
        offer=UNCHECKED if op.name in WITH_VARIANT else None,
    )


def _checks(op: Call, row: Check) -> bool:
    if not row.needs:
        return True
    given = op.argument(row.needs)
    if given is None:
        return None in row.among
    return _constant(given) in row.among


def _constant(value: Value) -> object:
    """Return the literal that an argument is; if unknown, `...`, which no row lists."""
    if value == NONE:
        return None
    return value.constant if isinstance(value, Host) else ...
