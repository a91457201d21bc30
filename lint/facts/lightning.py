"""Lightning: the classes that take part in a run of its Trainer, and how often their methods are called.

Sources: Lightning 2.6 `pytorch/core/module.py`, `pytorch/core/hooks.py`, `pytorch/callbacks`, `pytorch/loops`.
"""

from __future__ import annotations

from ..finding import Level

ROOTS = ("lightning", "pytorch_lightning", "lightning.pytorch", "lightning.pytorch.core", "pl")
CALLBACKS = (
    "BackboneFinetuning", "BaseFinetuning", "BasePredictionWriter", "BatchSizeFinder", "Callback", "Checkpoint",
    "DeviceStatsMonitor", "EarlyStopping", "EMAWeightAveraging", "GradientAccumulationScheduler", "LambdaCallback",
    "LearningRateFinder", "LearningRateMonitor", "ModelCheckpoint", "ModelPruning", "ModelSummary",
    "OnExceptionCheckpoint", "ProgressBar", "RichModelSummary", "RichProgressBar", "SpikeDetection",
    "StochasticWeightAveraging", "ThroughputMonitor", "Timer", "TQDMProgressBar", "WeightAveraging",
)  # fmt: skip

KINDS: dict[str, str] = {
    **{f"{root}.{name}": kind
       for root in ROOTS
       for name, kind in (("LightningModule", "lightning"), ("Callback", "callback"),
                          ("LightningDataModule", "data module"), ("Trainer", "lightning trainer"))},
    **{f"{root}.callbacks.{name}": "callback" for root in ROOTS for name in CALLBACKS},
}  # fmt: skip
"""Full name of a class -> the kind of its subclasses."""

TRAINERS = ("Trainer", "LightningCLI", "Fabric", "LightningLite")
"""Names of what runs modules. Source: `pytorch/trainer/trainer.py`, `pytorch/cli.py`, `fabric/fabric.py`."""

FITS = r"\.fit\b|[\"']fit[\"']"
"""A pattern for what runs training with a Trainer, wherever that was made."""

OTHERS_THAT_FIT = ("sklearn", "cuml", "umap", "hdbscan", "xgboost", "lightgbm", "statsmodels", "hmmlearn")
"""Libraries whose estimators have a method of that name; in files that use one, it is theirs."""

FITS_BY_TRAINER = r"[Tt]rainer\w*\.fit\b"
"""A pattern for what is none of theirs all the same."""

LOADER_HOOK = "train_dataloader"
LOADER_HOLDERS = frozenset(("lightning", "data module"))
"""The method whose loader the Trainer uses, and the kinds of classes that have it. Source: `DataHooks`."""

_PHASES = (
    ("train", Level.EVERY_STEP, "every step"),
    ("validation", Level.EVALUATION, "in evaluation"),
    ("test", Level.EVALUATION, "in evaluation"),
    ("predict", Level.EVERY_STEP, "for every batch"),
)
_METHODS = (
    (Level.EVERY_STEP, "every step", (
        "training_step", "backward", "manual_backward", "on_before_backward", "on_after_backward",
        "on_before_zero_grad", "on_before_optimizer_step", "optimizer_step", "optimizer_zero_grad",
        "configure_gradient_clipping", "clip_gradients", "lr_scheduler_step", "on_before_batch_transfer",
        "transfer_batch_to_device", "on_after_batch_transfer")),
    (Level.EVERY_STEP, "for every batch", ("predict_step",)),
    (Level.EVALUATION, "in evaluation", ("validation_step", "test_step")),
    (Level.EVERY_EPOCH, "every epoch", ("on_validation_start", "on_validation_end")),
    (Level.EVERY_N_STEPS, "with every checkpoint", ("on_save_checkpoint",)),
    (Level.ONCE, "once", (
        "setup", "teardown", "configure_optimizers", "configure_model", "configure_sharded_model",
        "configure_callbacks", "prepare_data", "train_dataloader", "val_dataloader", "test_dataloader",
        "predict_dataloader", "on_load_checkpoint", "on_exception", "on_fit_start", "on_fit_end", "on_train_start",
        "on_train_end", "on_test_start", "on_test_end", "on_predict_start", "on_predict_end", "on_sanity_check_start",
        "on_sanity_check_end")),
)  # fmt: skip

HOOKS: dict[tuple[str, str], tuple[Level, str]] = {
    (kind, name): (level, f"`{name}` runs {when}")
    for kind in ("lightning", "callback")
    for level, when, names in (
        *_METHODS,
        *((level, when, (f"on_{phase}_batch_start", f"on_{phase}_batch_end")) for phase, level, when in _PHASES),
        *((Level.EVERY_EPOCH, "every epoch",
           tuple(f"{prefix}{phase}_epoch_{end}" for prefix in ("on_", "") for end in ("start", "end")))
          for phase in (*(phase for phase, _, _ in _PHASES), "training")),
    )
    for name in names
}  # fmt: skip
"""(kind of class, method) -> how often it runs, and the reason in words; `training_epoch_end` and its like are those of
Lightning before 2.0."""
