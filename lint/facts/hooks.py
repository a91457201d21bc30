"""How often the methods that libraries call run.

Sources: torch 2.13 `torch.nn.Module.__call__`, `torch.autograd.Function`, `torch.optim.Optimizer`; TorchMetrics 1.9
`Metric`; Ignite 0.5 `Metric.attach`; Transformers 5.23 `trainer.py`, `trainer_callback.py` and
`pipelines/base.py`; ASE 3.29 `Calculator.get_property`.
"""

from __future__ import annotations

from ..finding import Level
from . import composer, lightning

HOOKS: dict[tuple[str, str], tuple[Level, str]] = {
    ("module", "forward"): (Level.EVERY_STEP, "`forward` of a module is part of a step"),
    ("function", "forward"): (Level.EVERY_STEP, "`forward` of an autograd.Function is part of a step"),
    ("function", "backward"): (Level.EVERY_STEP, "`backward` of an autograd.Function is part of a step"),
    ("optimizer", "step"): (Level.EVERY_STEP, "an optimizer's `step` runs every step"),
    ("metric", "update"): (Level.EVERY_STEP, "a metric's `update` runs every step"),
    ("metric", "forward"): (Level.EVERY_STEP, "a metric's `forward` runs every step"),
    ("metric", "compute"): (Level.EVERY_STEP, "calling a metric also runs its `compute`, for the "
    "batch's value"),
    ("epoch metric", "update"): (Level.EVERY_STEP, "a metric's `update` runs every step"),
    ("epoch metric", "compute"): (Level.EVERY_EPOCH, "an engine calls a metric's `compute` at the end of an epoch"),
    **{("trainer", name): (level, f"`{name}` of a Trainer runs {when}")
       for level, when, names in (
           (Level.EVERY_STEP, "every step", ("compute_loss", "training_step", "get_batch_samples", "_prepare_inputs",
                                             "_prepare_input", "floating_point_ops")),
           (Level.EVERY_N_STEPS, "every `logging_steps`", ("log", "store_flos")),
           (Level.EVERY_N_STEPS, "every `save_steps`", ("save_model", "_save", "_save_checkpoint")),
           (Level.EVALUATION, "in evaluation", ("evaluate", "predict", "evaluation_loop", "prediction_step")),
           (Level.ONCE, "once", ("create_optimizer", "create_scheduler", "create_optimizer_and_scheduler",
                                 "get_train_dataloader", "get_eval_dataloader", "get_test_dataloader",
                                 "create_model_card")))
       for name in names},
    **{("trainer callback", f"on_{name}"): (level, f"`on_{name}` runs {when}")
       for level, when, names in (
           (Level.EVERY_STEP, "every step", ("step_begin", "step_end", "substep_end", "pre_optimizer_step",
                                             "optimizer_step")),
           (Level.EVERY_N_STEPS, "every `logging_steps`", ("log",)),
           (Level.EVERY_N_STEPS, "every `save_steps`", ("save",)),
           (Level.EVERY_EPOCH, "every epoch", ("epoch_begin", "epoch_end")),
           (Level.EVALUATION, "in evaluation", ("evaluate", "predict", "prediction_step")),
           (Level.ONCE, "once", ("init_end", "train_begin", "train_end")))
       for name in names},
    ("pipeline", "preprocess"): (Level.NEVER, "a Pipeline prepares its inputs in a DataLoader, on the CPU"),
    ("pipeline", "postprocess"): (Level.NEVER, "a Pipeline copies the outputs to the CPU before `postprocess`"),
    ("decoding", "__call__"): (Level.EVERY_STEP, "generation calls it for every token"),
    ("calculator", "calculate"): (Level.EVERY_STEP, "a simulation calls `calculate` at each of its steps"),
    **lightning.HOOKS,
    **composer.HOOKS,
}  # fmt: skip
"""(kind of class, method) -> how often it runs, and the reason in words."""
