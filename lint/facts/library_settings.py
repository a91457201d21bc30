"""What makes libraries wait inside of one line of a program, and the setting that changes it.

A wait in a training framework is on the line that called `train()` or `fit()`; which of its parts waited is told by the
function that was running.
"""

from __future__ import annotations

from .autograd import WAITS_IN_BACKWARD
from .torchmetrics import NAN_CHECK, VALIDATIONS

_BACKWARD = ", ".join(f"`{text}`" for text in WAITS_IN_BACKWARD if len(text) < 20)

SETTINGS = (
    ("torch/autograd/", ("_engine_run_backward",),
     f"the backward pass waits for what the forward pass did: {_BACKWARD} and others"),
    ("torch/amp/grad_scaler.py", ("_maybe_opt_step",),
     "the gradient scaler decides on the host whether to step: bfloat16 needs no scaler"),
    ("torch/nn/utils/clip_grad.py", ("clip_grad_norm_", "get_total_norm"),
     "clipping raises for norms that are not finite: `error_if_nonfinite=False`"),
    ("torchmetrics/", VALIDATIONS, "the metric validates its arguments: `validate_args=False`"),
    ("torchmetrics/", (NAN_CHECK,), 'the metric looks for NaN: `nan_strategy="disable"`'),
    ("transformers/trainer.py", ("_run_epoch",),
     "the Trainer looks for NaN in every step: `logging_nan_inf_filter=False`"),
    ("transformers/trainer.py", ("_maybe_log_save_evaluate",), "the Trainer logs: a larger `logging_steps`"),
    ("accelerate/utils/operations.py", ("send_to_device",),
     'the batch is copied: `accelerator_config={"non_blocking": True}` with pinned memory'),
    ("lightning_fabric/utilities/apply_func.py", ("to_item",),
     "Lightning reads what it logs or shows: `prog_bar=False`, `log_every_n_steps`, `enable_progress_bar=False`"),
    ("lightning_fabric/utilities/apply_func.py", ("batch_to",),
     "Lightning copies a batch, or a number that is logged: `pin_memory=True` of the loader, tensors on the device"),
)  # fmt: skip
"""Part of a file's path, functions in it by how their names end, and what to say where one of them waited.

Each was seen to wait on the emulated device: torch 2.15, TorchMetrics 1.9.0, Transformers 5.24.0, Accelerate 1.15.0,
Lightning 2.6.6.
"""
_TORCH = "/torch/"


def setting_of(stack: tuple[tuple[str, int, str], ...]) -> str:
    """Return what is known of a wait, given the functions that were running, outermost first; empty if nothing is.

    Those of torch are looked at, and the one outside of it that called them.
    """
    for filename, _, function in reversed(stack):
        path = filename.replace("\\", "/")
        for part, functions, words in SETTINGS:
            if part in path and function.endswith(functions):
                return words
        if _TORCH not in path:
            return ""
    return ""
