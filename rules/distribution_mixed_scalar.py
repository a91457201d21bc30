"""A distribution over a device tensor and a Python number copies the number to the device, and the host waits.

Pass only tensors: `Normal(mean, torch.ones_like(mean))`, or `torch.full((), value, dtype=…, device=…)`.

Parameters are broadcast together: a number becomes a tensor on the device of the first tensor, by a copy that waits,
whether or not the arguments are validated. A few families combine the tensor with a number of their own (`HalfNormal`,
`HalfCauchy`, `Chi2`, `StudentT`, `Multinomial`): express them with other families (`Normal(zeros, scale)` and `abs()`,
`Gamma(df / 2, halves)`). Distributions over numbers only are on the host and are not reported.
"""

from __future__ import annotations

from ..lint.facts.distributions import FAMILIES
from ..lint.offers import OVERFLOW, Offer
from ..lint.operations import Call, Tensor, distributions, is_number, is_written_number
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
        return op.finding(message, *given.values(), offer=_offer(op, made, numbers))
    return _own_number(op, made)


def _offer(op: Call, made: distributions.Distribution, numbers: list[str]) -> Offer | None:
    """Return the number as a tensor like the only other parameter."""
    names = {str(at): name for at, name in enumerate(made.family.parameters)}
    given = [(str(at), value) for at, value in enumerate(op.positional)] + list(op.keywords)
    mixed = {names.get(at, at): (at, value) for at, value in given if names.get(at, at) in made.family.mixed}
    tensors = [at for at, value in mixed.values() if isinstance(value, Tensor)]
    if len(numbers) != 1 or len(tensors) != 1 or len(mixed) != 2 or made.name == "Binomial":
        return None
    details = (tensors[0], mixed[numbers[0]][0])
    unsafe = "" if is_written_number(mixed[numbers[0]][1]) else OVERFLOW
    return Offer("number-beside-tensor", "fill a tensor with the number", unsafe, details=details, is_sure=False)


def _own_number(op: Call, made: distributions.Distribution) -> Report | None:
    if not made.family.copies:
        return None
    message = f"`{made.name}` copies {made.family.copies} to the device, and the host waits for the copy"
    return op.finding(message, *made.tensors, instead=BY_HAND)
