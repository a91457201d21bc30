"""Composer: the classes whose methods its Trainer calls after its events.

Sources: Composer 0.32 `composer/core/event.py`, `core/callback.py` (`Callback.run_event`) and `trainer/trainer.py`.
"""

from __future__ import annotations

from ..finding import Level

KINDS: dict[str, str] = {
    f"composer.{name}": "composer callback"
    for name in ("Callback", "core.Callback", "core.callback.Callback", "LoggerDestination",
                 "loggers.LoggerDestination", "loggers.logger_destination.LoggerDestination")
}  # fmt: skip
"""Full name of a class -> the kind of its subclasses."""

HOOKS: dict[tuple[str, str], tuple[Level, str]] = {
    ("composer callback", name): (level, f"a Trainer calls `{name}` {when}")
    for level, when, names in (
        (Level.EVERY_STEP, "every step", (
            "before_dataloader", "after_dataloader", "batch_start", "before_train_batch", "before_forward",
            "after_forward", "before_loss", "after_loss", "before_backward", "after_backward", "after_train_batch",
            "batch_end")),
        (Level.EVERY_N_STEPS, "every so many steps", ("batch_checkpoint",)),
        (Level.EVERY_EPOCH, "every epoch", (
            "epoch_start", "epoch_end", "epoch_checkpoint", "iteration_start", "iteration_end",
            "iteration_checkpoint")),
        (Level.EVALUATION, "in evaluation", (
            "eval_before_all", "eval_start", "eval_batch_start", "eval_before_forward", "eval_after_forward",
            "eval_batch_end", "eval_end", "eval_after_all", "eval_standalone_start", "eval_standalone_end",
            "predict_start", "predict_batch_start", "predict_before_forward", "predict_after_forward",
            "predict_batch_end", "predict_end")),
        (Level.ONCE, "once", (
            "init", "before_load", "after_load", "fit_start", "fit_end", "close", "post_close")),
    )
    for name in names
}  # fmt: skip
"""(kind of class, method) -> how often it runs, and the reason in words."""
