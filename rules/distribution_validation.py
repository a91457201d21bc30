"""A distribution checks that its parameters, and each value it is given, are valid, and the host waits for the result.

Pass `validate_args=False` once the program works, or call `Distribution.set_default_validate_args(False)` at startup.

Validation is on by default; the constructor waits once for each parameter it checks, `log_prob` and `cdf` once for each
value. `sample`, `rsample` and `entropy` check nothing. Some families create others internally, which validate by
default no matter what the family itself is told: `OneHotCategorical`, `Multinomial`, `StudentT`, the relaxed families
and `Wishart` among them; only the global switch turns that off. `MultivariateNormal` factorizes a covariance or
precision matrix, which has a check of its own: pass `scale_tril`. A few methods read their parameters regardless
(`Binomial.entropy`, `VonMises.sample`). Classes derived from these inherit the checks. If `validate_args` comes from
elsewhere, nothing is reported.
"""

from __future__ import annotations

from ..lint.facts.distributions import (
    DELEGATING,
    FAMILIES,
    INNER_METHODS,
    METHODS,
    VALIDATES_SINCE,
    VALIDATING,
    WAITING_METHODS,
)
from ..lint.offers import Offer
from ..lint.operations import Call, distributions
from ..lint.rule import Report, rule

GLOBALLY = (
    "Call `torch.distributions.Distribution.set_default_validate_args(False)` at startup: the inner "
    "distribution is created with the default."
)
SCALE_TRIL = "Pass `scale_tril`, computed by `torch.linalg.cholesky_ex`, which does not check for errors."
BY_HAND = "Write out the formula with tensors, or keep this distribution on the host."

OFF = Offer(
    "keyword",
    "turn the validation off",
    "invalid parameters and values are no longer refused",
    details=("validate_args", "False"),
)


@rule("SYNC501", "distribution-validation", calls=(*FAMILIES, *METHODS, "kl_divergence"))
def check(op: Call) -> Report | None:
    """Report a constructor that validates, a method that validates, or a method that always reads its parameters."""
    if (made := distributions.made_by(op)) is not None:
        return _constructor(op, made)
    if op.last_name == "kl_divergence" and op.is_torch:
        return _divergence(op)
    for distribution in distributions.used_by(op):
        if (found := _method(op, distribution)) is not None:
            return found
    return None


def _constructor(op: Call, made: distributions.Distribution) -> Report | None:
    family = made.family
    if family.checked and made.validates and op.versions.may_be("torch", since=VALIDATES_SINCE):
        message = f"`{made.name}` validates its parameters, and the host waits for the result"
        offer = None if family.inner else OFF
        return op.finding(message, *made.tensors, instead=GLOBALLY if family.inner else "", offer=offer)
    given = [value for name in family.factorises if (value := made.argument(name)) is not None]
    if given:
        message = f"`{made.name}` factorizes its matrix and checks for errors; the host waits for the result"
        return op.finding(message, *given, instead=SCALE_TRIL)
    if family.inner and not made.unchecked and made.is_told_not_to:
        message = f"`{made.name}` validates despite `validate_args=False` ({family.inner}), and the host waits"
        return op.finding(message, *made.tensors, instead=GLOBALLY)
    return None


def _method(op: Call, distribution: distributions.Distribution) -> Report | None:
    name = distribution.name
    if (because := WAITING_METHODS.get((name, op.last_name))) is not None:
        return op.finding(f"`{op.text}` {because}, and the host waits", *distribution.tensors, instead=BY_HAND)
    if op.last_name not in VALIDATING:
        return None
    values = (*op.positional, *dict(op.keywords).values(), *distribution.tensors)
    if _validates(distribution, op.last_name):
        return op.finding(f"`{op.text}` validates its argument, and the host waits for the result", *values)
    if op.last_name in INNER_METHODS.get(name, ()) and distribution.is_told_not_to and not distribution.unchecked:
        message = f"`{op.text}` validates its argument in the inner distribution, and the host waits for the result"
        return op.finding(message, *values, instead=GLOBALLY)
    return None


def _validates(distribution: distributions.Distribution, method: str) -> bool:
    """Whether the method validates its argument, in this distribution or in one that it wraps."""
    own = distribution.validates and method not in DELEGATING.get(distribution.name, ())
    return own or any(_validates(inner, method) for inner in distribution.inside)


def _divergence(op: Call) -> Report | None:
    binomial = next((each for each in distributions.given_to(op) if each.name == "Binomial"), None)
    if binomial is None:
        return None
    message = f"`{op.text}` compares the counts, and the host waits for the result"
    return op.finding(message, *binomial.tensors, instead=BY_HAND)
