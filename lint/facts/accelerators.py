"""Objects of frameworks that move models and batches to their device: Accelerate's Accelerator, Lightning's Fabric.

Sources: accelerate 1.10 `accelerator.py`, `data_loader.py`; Lightning 2.6 `fabric/fabric.py`, `fabric/wrappers.py`,
`pytorch/trainer/trainer.py`.
"""

from __future__ import annotations

KINDS: dict[str, str] = {
    "accelerate.Accelerator": "accelerator",
    "accelerate.accelerator.Accelerator": "accelerator",
    "lightning.Fabric": "accelerator",
    "lightning.fabric.Fabric": "accelerator",
    "lightning.fabric.fabric.Fabric": "accelerator",
    "lightning_fabric.Fabric": "accelerator",
}
"""Full name of a class -> the kind of its instances."""

PREPARE = frozenset((
    "prepare", "prepare_data_loader", "prepare_model", "setup", "setup_dataloaders", "setup_module",
))  # fmt: skip
"""Methods that return what they are given: modules on the device, loaders whose batches come to be there."""

MOVE = frozenset(("to_device", "gather", "gather_for_metrics", "reduce", "pad_across_processes", "all_gather"))
"""Methods that return what they are given, on the device."""

UNWRAP = frozenset(("unwrap_model",))
NORMS = frozenset(("clip_grad_norm_", "clip_gradients"))
SILENT = frozenset(("backward", "wait_for_everyone"))
"""Methods that return the first argument as it is, a norm on the device, nothing."""

ON_HOST: tuple[tuple[str, bool | str], ...] = (("cpu", True), ("accelerator", "cpu"))
"""Arguments of constructors that keep everything on the host."""

FEED = frozenset(("fit", "prepare", "prepare_data_loader", "setup_dataloaders"))
"""Methods after which the framework moves each batch of a loader that they are given, without `non_blocking`."""

NUMBERS = frozenset((
    "process_index", "local_process_index", "num_processes", "global_rank", "local_rank", "node_rank", "world_size",
    "gradient_accumulation_steps",
))  # fmt: skip
AT_EACH_STEP = frozenset(("sync_gradients",))
"""Flags that are true whenever the optimizer steps, as it does each time by default. Source: Accelerate 1.12."""

FLAGS = frozenset((
    "is_main_process", "is_local_main_process", "is_last_process", "sync_gradients", "is_global_zero",
    "optimizer_step_was_skipped", "use_distributed",
))  # fmt: skip
"""Attributes that are numbers, or truth values, on the host."""

BATCHES: dict[tuple[str, str], int] = {
    **{("lightning", f"{phase}_step"): 1 for phase in ("training", "validation", "test", "predict")},
    ("lightning", "on_after_batch_transfer"): 1,
    **{
        (kind, f"on_{phase}_batch_{when}"): before + (when == "end")  # what the step returned comes before the batch
        for kind, before in (("lightning", 1), ("callback", 3))
        for phase in ("train", "validation", "test", "predict")
        for when in ("start", "end")
    },
    ("trainer", "compute_loss"): 2,
}
"""(kind of class, method) -> the position of the parameter that gets a batch when it is on the device.

Sources: Lightning 2.6 `pytorch/loops`; transformers 5.23 `Trainer.training_step`, which calls `_prepare_inputs`.
"""

COPIES: dict[tuple[str, str], int] = {("streamer", "put"): 1}
"""(kind of class, method) -> the position of the parameter that gets a copy on the host.

Source: transformers 5.23 `generation/utils.py`: `streamer.put(next_tokens.cpu())`.
"""
