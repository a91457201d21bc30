"""An optimizer, gradient scaler, scheduler or averaged model reads device values in its step, and the host waits.

With a `GradScaler`, create the optimizer with `fused=True`; create `ASGD` with `capturable=True`; average weights with
`torch._foreach_lerp_` and a Python number.

`GradScaler.step` checks whether a gradient was infinite, unless the optimizer is fused and skips the step itself;
`get_scale` and `state_dict` read the scale; if it is not known whether the scaler is `enabled`, this is a note.
`update_parameters` of `AveragedModel` copies its counter to the device, or reads it there. `LBFGS` and `Adafactor` make
decisions on the host. `ReduceLROnPlateau.step` converts its metric to a number. `clip_grad_norm_` waits only with
`error_if_nonfinite=True`. SGD, Adam, AdamW and the like wait only for a learning rate that is a tensor on the device,
unless they are fused or capturable.
"""

from __future__ import annotations

from ..lint.facts.torch_optimizers import AMP_OFF, CLIPPING, METHODS, SWITCH, Read
from ..lint.finding import Severity
from ..lint.offers import Offer
from ..lint.operations import (
    UNKNOWN,
    Call,
    Host,
    Instance,
    Tensor,
    Value,
    argument_of,
    element,
    is_off,
    is_on,
    may_be_on,
    options_of,
    tensor_on,
)
from ..lint.rule import Report, rule

UNCHECKED = Offer(
    "keyword",
    "turn the check off",
    "gradients that are not finite are clipped like others, which makes them NaN",
    details=("error_if_nonfinite", "False"),
)
ROUNDED = "the last digits of the update differ, and all parameters must be on the GPU from then on"
FUSED_STEP = Offer("fused-optimizer", "create the optimizer with `fused=True`", ROUNDED, is_sure=False)
CAPTURABLE = Offer("capturable-optimizer", "create the optimizer with `capturable=True`", ROUNDED, is_sure=False)
OFFERS = {"GradScaler.step": FUSED_STEP, "ASGD.step": CAPTURABLE}


@rule("SYNC504", "optimizer-host-read", calls=(*CLIPPING, *(".".join(each) for each in METHODS)))
def check(op: Call) -> Report | None:
    """Report a method whose row in the facts says that it reads, and clipping that checks for infinities."""
    if not op.name.startswith("torch."):
        return None
    if op.last_name in CLIPPING and op.name.startswith("torch.nn.utils."):
        return _clipping(op)
    cls, _, method = op.name.rpartition(".")
    row = METHODS.get((cls.rpartition(".")[2], method))
    if row is None or not op.versions.may_be("torch", since=row.since):
        return None
    values = [value for option in options_of(op.receiver or UNKNOWN) for value in _read(op, row, option)]
    message = f"`{op.text}` {row.because}, and the host waits"
    cap = Severity.NOTE if _is_switched(op.receiver or UNKNOWN) else Severity.ERROR
    offer = OFFERS.get(f"{cls.rpartition('.')[2]}.{method}")
    return op.finding(message, *values, instead=row.instead, cap=cap, offer=offer)


def _is_switched(receiver: Value) -> bool:
    """Whether a scaler may be disabled by something unknown here."""
    made = [option for option in options_of(receiver) if isinstance(option, Instance)]
    switches = [each for each in (argument_of(one, AMP_OFF) for one in made) if each is not None]
    return not all(map(is_on, switches))


def _clipping(op: Call) -> Report | None:
    if not is_on(op.argument(SWITCH)):
        return None
    given = op.argument(CLIPPING[op.last_name]) or UNKNOWN
    message = f"`{op.text}` checks whether the norm is finite, and the host waits for the result"
    instead = "Omit the flag and check the norm every N steps."
    return op.finding(message, given, element(given), instead=instead, offer=UNCHECKED)


def _read(op: Call, row: Read, receiver: Value) -> list[Value]:
    """Return the tensors that the method of an object reads; none if its arguments avoid the read."""
    if not isinstance(receiver, Instance) or any(may_be_on(argument_of(receiver, name)) for name in row.spared):
        return []
    match receiver.cls.rpartition(".")[2]:
        case "GradScaler":
            return _scaled(op, receiver)
        case "ReduceLROnPlateau":
            return [value for value in (op.keyword("metrics"), *op.positional[:1]) if value is not None]
        case _ if row.reads:
            given = argument_of(receiver, row.reads) or receiver.argument("1")
            return [each for each in options_of(given or UNKNOWN) if isinstance(each, Tensor)]
        case "AveragedModel":
            return [tensor_on(receiver.device)]
    return [_parameter(receiver)]


def _scaled(op: Call, scaler: Instance) -> list[Value]:
    """Return what a scaler reads: a value on the gradients' device, unless the optimizer skips steps itself."""
    if is_off(argument_of(scaler, AMP_OFF)) or argument_of(scaler, "device") == Host("str", "cpu"):
        return []
    if op.last_name != "step":
        return [tensor_on()]
    optimizers = options_of(op.positional[0]) if op.positional else ()
    known = [each for each in optimizers if isinstance(each, Instance)]
    if known and all(may_be_on(argument_of(each, "fused")) for each in known):
        return []
    return [_parameter(each) for each in known] or [tensor_on()]


def _parameter(optimizer: Instance) -> Value:
    """Return one of the optimizer's parameters; a tensor on an unknown device if nothing is known about them."""
    given = optimizer.argument("params") or optimizer.argument("0") or UNKNOWN
    found = element(given)
    return found if isinstance(found, Tensor) else tensor_on()
