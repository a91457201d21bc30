"""A distribution over a device tensor and a Python number copies the number to the device, and the host waits.

Pass only tensors: `Normal(mean, torch.ones_like(mean))`, or `torch.full((), value, dtype=…, device=…)`.

Parameters are broadcast together: a number becomes a tensor on the device of the first tensor, by a copy that waits,
whether or not the arguments are validated. A few families combine the tensor with a number of their own (`HalfNormal`,
`HalfCauchy`, `Chi2`, `StudentT`, `Multinomial`): express them with other families (`Normal(zeros, scale)` and `abs()`,
`Gamma(df / 2, halves)`). Distributions over numbers only are on the host and are not reported.
"""

from __future__ import annotations

from ..lint.facts.distributions import FAMILIES
from ..lint.operations import Call, distributions, is_number
from ..lint.rule import Report, rule

BY_HAND = "Express it with another family and a tensor in that place, such as `Normal(torch.zeros_like(scale), scale)`."


@rule("SYNC502", "distribution-mixed-scalar", calls=FAMILIES)
def check(op: Call) -> Report | None:
    """Report the constructor of a distribution that mixes tensors and numbers."""
    made = distributions.made_by(op)
    if made is None:
        return None
    given = {name: value for name in made.family.mixed if (value := made.argument(name)) is not None}
    numbers = [name for name, value in given.items() if is_number(value)]
    if numbers:
        listed = " and ".join(f"`{name}`" for name in numbers)
        message = f"`{op.text}` copies the number for {listed} to the device, and the host waits for the copy"
        return op.finding(message, *given.values())
    return _own_number(op, made)


def _own_number(op: Call, made: distributions.Distribution) -> Report | None:
    if not made.family.copies:
        return None
    message = f"`{made.name}` copies {made.family.copies} to the device, and the host waits for the copy"
    return op.finding(message, *made.tensors, instead=BY_HAND)
