"""What makes libraries wait inside of one line of a program, and the setting that changes it.

A wait in a training framework is on the line that called `train()` or `fit()`; which of its parts waited is told by the
functions that were running.
"""

from __future__ import annotations

from .torchmetrics import NAN_CHECK, VALIDATIONS

SETTINGS = (
    ("torchmetrics/", VALIDATIONS, "the metric validates its arguments: `validate_args=False`"),
    ("torchmetrics/", (NAN_CHECK,), 'the metric looks for NaN: `nan_strategy="disable"`'),
    ("transformers/trainer.py", ("_inner_training_loop", "_maybe_log_save_evaluate", "_run_epoch"),
     "the Trainer: `logging_nan_inf_filter=False` leaves the NaN check out, `logging_steps` says how often it logs"),
    ("torch/amp/grad_scaler.py", ("_maybe_opt_step",),
     "the gradient scaler decides on the host whether to step: bfloat16 needs no scaler"),
    ("torch/nn/utils/clip_grad.py", ("clip_grad_norm_", "_get_total_norm", "get_total_norm"),
     "clipping raises for norms that are not finite: `error_if_nonfinite=False`"),
    ("torch/optim/", ("_get_value", "_item"), "the optimizer reads its step: `capturable=True` or `fused=True`"),
    ("/connectors/logger_connector/", ("progress_bar_metrics", "get_progress_bar_metrics", "metrics", "forward"),
     "Lightning reads what it logs or shows: `enable_progress_bar=False`, `log_every_n_steps`, `prog_bar=False`"),
    ("/callbacks/progress/", ("on_train_batch_end", "get_metrics"),
     "Lightning's progress bar reads what it shows: `enable_progress_bar=False`"),
    ("torch/utils/tensorboard/", ("add_scalar", "add_scalars", "make_np"),
     "TensorBoard copies what it is given: log only every N steps"),
)  # fmt: skip
"""Part of a file's path, functions in it, and what to say where one of them was running.

Sources: TorchMetrics 1.9.0, Transformers 5.24 `trainer.py`, torch 2.15 `amp/grad_scaler.py`, `nn/utils/clip_grad.py`,
`optim/optimizer.py` and `utils/tensorboard/`, Lightning 2.6.6 `trainer/connectors/logger_connector/`.
"""


def setting_of(stack: tuple[tuple[str, int, str], ...]) -> str:
    """Return what is known of a wait, given the functions that were running, outermost first; empty if nothing is."""
    for filename, _, function in reversed(stack):
        path = filename.replace("\\", "/")
        for part, functions, words in SETTINGS:
            if part in path and function.endswith(functions):
                return words
    return ""
