"""Optimizers, gradient scalers, schedulers and averaged models of torch that read device values in their methods.

Sources: torch 2.13 `torch/amp/grad_scaler.py`, `torch/optim/lbfgs.py`, `asgd.py`, `_adafactor.py`, `swa_utils.py`,
`lr_scheduler.py`, `torch/nn/utils/clip_grad.py`; 2.15 waits in the same places. Each row was run. A learning rate that
is a tensor becomes the `alpha` or `value` of an operator in `sgd.py`, `adam.py` and the like, or `_get_value` reads it;
`adagrad.py` and `radam.py` multiply with it, as do fused and capturable kernels.
"""

from __future__ import annotations

from typing import NamedTuple

FUSED = (
    "Create the optimizer with `fused=True`, whose kernel skips the update itself, or train in bfloat16 without one."
)


class Read(NamedTuple):
    """One row.

    `spared` are constructor arguments that avoid the wait when true; `since` is the first version of torch that has the
    class; `reads` is the constructor argument that is read, if it is a tensor, rather than something of the parameters.
    """

    because: str
    instead: str = ""
    spared: tuple[str, ...] = ()
    since: str = ""
    reads: str = ""


RATE = "lr"
"""The argument of an optimizer that is its learning rate, the second by position."""

METHODS: dict[tuple[str, str], Read] = {
    ("GradScaler", "step"): Read("checks whether a gradient is infinite or NaN", FUSED),
    ("GradScaler", "get_scale"): Read(
        "reads the scale", "Read it only when it is logged, every N steps, or not at all."
    ),
    ("GradScaler", "state_dict"): Read(
        "reads the scale and a counter", "Call it only where a checkpoint is written, every N steps."
    ),
    ("LBFGS", "step"): Read(
        "reads losses, norms and products many times", "It makes decisions on the host; use an optimizer that does not."
    ),
    ("ASGD", "step"): Read(
        "reads its counters, several per parameter", "Pass `capturable=True`.", spared=("capturable",)
    ),
    ("Adafactor", "step"): Read(
        "reads two norms per parameter", "Use an optimizer that keeps its factors on the device.", since="2.5"
    ),
    **dict.fromkeys(
        ((name, "step") for name in ("SGD", "Adam", "AdamW", "RMSprop", "NAdam", "Adadelta", "Adamax")),
        Read(
            "reads its learning rate, a tensor on the device",
            "Pass the learning rate as a number or a CPU tensor, or create the optimizer with `fused=True`.",
            spared=("fused", "capturable"),
            reads=RATE,
        ),
    ),
    ("AveragedModel", "update_parameters"): Read(
        "copies or reads its update counter",
        "Average with `torch._foreach_lerp_(averaged, parameters, 1 - decay)`, where `decay` is a Python number.",
    ),
    ("ReduceLROnPlateau", "step"): Read("reads the metric it is given", "Pass it a number, once per epoch."),
}
"""(last name of the class, method) -> its row."""

SCALER = "torch.amp.GradScaler"
"""The class of what scales losses, or gradients, of mixed precision."""

CLIPPING = {"clip_grad_norm_": "parameters", "get_total_norm": "tensors"}
"""Functions of `torch.nn.utils` that read the norm when `error_if_nonfinite=True`, and the tensors it is of."""

SWITCH = "error_if_nonfinite"

AMP_OFF = "enabled"
"""A `GradScaler` with `enabled=False` does nothing."""
