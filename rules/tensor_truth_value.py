"""Python needs the truth value of a tensor, as in `if`, and the host waits until the device has computed it.

Decide on the device: `torch.where` for values, masks for steps that may be skipped, `torch._assert_async` for
assertions. If the host must decide, put the tests it can answer first, so that `and` and `or` evaluate the tensor last.

This happens in `if`, `while`, `assert`, `not`, `and`, `or`, conditional expressions, comprehensions, chained
comparisons, the builtins `any()` and `all()`, `x in tensor` and `tensor in list`. Each evaluation waits once; a list of
n tensors waits up to n times. Shapes, dtypes, `is None`, `numel()`, `is_cuda` and numpy arrays are known to the host
and not reported; neither is a `tensor.any()` whose truth value is not needed.
"""

from __future__ import annotations

from dataclasses import replace

from ..lint.offers import Effect, Offer
from ..lint.operations import Truth, is_seen_as_tensor, may_be_tensor
from ..lint.rule import Report, rule

NAMED = {"a conditional expression", "a comprehension's condition", "a case's guard", "a chained comparison"}

FINITE = Offer("not-finite", "ask once whether all is finite", effect=Effect.ONCE, brings=("SYNC104",), is_sure=False)
UNHANDLED = "a failed assertion ends the process's use of the device, later, and cannot be handled"
ASSERTED = Offer("asynchronous-assertion", "assert on the device", UNHANDLED, is_sure=False, is_display=True)
REFUSED = Offer(
    "asynchronous-refusal", "assert on the device instead of raising", UNHANDLED, is_sure=False, is_display=True
)
AT_ONCE = Offer(
    "conditions-at-once",
    "combine the conditions on the device",
    effect=Effect.ONCE,
    details=("same",),
    brings=("SYNC104",),
    is_sure=False,
)
JOINED = replace(AT_ONCE, unsafe="tensors on different GPUs cannot be combined", details=())
FILLED = Offer(
    "filled-without-asking",
    "fill the entries without asking whether there are any",
    "autograd sees a write where there may have been none",
    is_sure=False,
)
OFFERS = {
    **dict.fromkeys(("or", "while", "a conditional expression"), (FINITE, AT_ONCE, JOINED)),
    "and": (AT_ONCE, JOINED),
    "if": (FINITE, AT_ONCE, FILLED, JOINED, REFUSED),
    "not": (AT_ONCE, JOINED, REFUSED),
    "assert": (ASSERTED,),
}


@rule("SYNC104", "tensor-truth-value")
def check(op: Truth) -> Report | None:
    """Report a use of a tensor's truth value; the truth value of a container of tensors is its length."""
    if not may_be_tensor(op.value):
        return None
    how = op.how if op.how in NAMED else f"`{op.how}`"
    message = f"`{op.text}`: {how} needs the truth value of a tensor, and the host waits for it"
    return op.finding(message, op.value, offer=OFFERS.get(op.how) if is_seen_as_tensor(op.value) else None)
