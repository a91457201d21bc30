"""What the classes of libraries are, and how often their hooks run.

Sources: torch 2.13 `torch.nn.Module.__call__`, `torch.optim.Optimizer`, `torch.utils.data`; Lightning 2.6
`LightningModule` and `Callback` hooks; TorchMetrics 1.9 `Metric`; Transformers 5 `Trainer`; torchvision 0.29
`transforms`; PyTorch Geometric 2.8 `transforms` and `data`.
"""

from __future__ import annotations

from ..finding import Level

KINDS: dict[str, str] = {
    "torch.nn.Module": "module",
    "torch.jit.ScriptModule": "module",
    "torch.nn.modules.loss._Loss": "module",
    "torch.nn.modules.Module": "module",
    "torch.nn.modules.module.Module": "module",
    "torch.utils.data.Dataset": "dataset",
    "torch.utils.data.IterableDataset": "dataset",
    "torch.utils.data.TensorDataset": "dataset",
    "torch.utils.data.Sampler": "sampler",
    "torch.utils.data.DistributedSampler": "sampler",
    "torch.utils.data.distributed.DistributedSampler": "sampler",
    "torch.utils.data.BatchSampler": "sampler",
    "torch.utils.data.sampler.Sampler": "sampler",
    "torch.utils.data.sampler.BatchSampler": "sampler",
    "torch.utils.data.dataset.Dataset": "dataset",
    "torch.utils.data.DataLoader": "dataloader",
    "torch.utils.data.dataloader.DataLoader": "dataloader",
    "torch.optim.Optimizer": "optimizer",
    "torch.optim.optimizer.Optimizer": "optimizer",
    "torch.autograd.Function": "function",
    "torch.autograd.function.Function": "function",
    "torchmetrics.Metric": "metric",
    "torchmetrics.metric.Metric": "metric",
    "torchvision.datasets.VisionDataset": "dataset",
    "torch_geometric.data.Dataset": "dataset",
    "torch_geometric.data.InMemoryDataset": "dataset",
    "torch_geometric.data.OnDiskDataset": "dataset",
    "torch_geometric.transforms.BaseTransform": "transform",
    "torch_geometric.nn.MessagePassing": "module",
    "torch_geometric.nn.conv.MessagePassing": "module",
    "transformers.PreTrainedModel": "module",
    "transformers.modeling_utils.PreTrainedModel": "module",
    "transformers.Trainer": "trainer",
    "transformers.trainer.Trainer": "trainer",
    "transformers.StoppingCriteria": "decoding",
    "transformers.LogitsProcessor": "decoding",
    "transformers.LogitsWarper": "decoding",
    **{f"{root}.{name}": kind
       for root in ("lightning", "pytorch_lightning", "lightning.pytorch", "lightning.pytorch.core", "pl")
       for name, kind in (("LightningModule", "lightning"), ("Callback", "callback"), ("LightningDataModule", "data module"))},
    "pytorch_lightning.callbacks.Callback": "callback",
    "lightning.pytorch.callbacks.Callback": "callback",
}  # fmt: skip
"""Full name of a class -> what its subclasses are."""

FIELD_MAKERS = frozenset(("dataclasses.dataclass", "typing.NamedTuple", "attr.s", "attrs.define", "attrs.frozen", "attr.define"))
"""Decorators and bases that make a constructor of a class's annotated names. Source: Python 3.13 and attrs 25 documentation."""

MODULE_KINDS = frozenset(("module", "lightning"))
"""Kinds whose instances are called through `forward` and hold parameters on a device."""

HOOKS: dict[tuple[str, str], tuple[Level, str]] = {
    ("module", "forward"): (Level.EVERY_STEP, "`forward` of a module runs every step"),
    ("function", "forward"): (Level.EVERY_STEP, "`forward` of an autograd.Function runs every step"),
    ("function", "backward"): (Level.EVERY_STEP, "`backward` of an autograd.Function runs every step"),
    ("optimizer", "step"): (Level.EVERY_STEP, "an optimizer's `step` runs every step"),
    ("metric", "update"): (Level.EVERY_STEP, "a metric's `update` runs every step"),
    ("metric", "forward"): (Level.EVERY_STEP, "a metric's `forward` runs every step"),
    ("metric", "compute"): (Level.EVERY_STEP, "a metric's `compute` runs whenever the metric is called, for the batch's value"),
    ("lightning", "training_step"): (Level.EVERY_STEP, "`training_step` runs every step"),
    ("lightning", "validation_step"): (Level.EVALUATION, "`validation_step` runs in evaluation"),
    ("lightning", "test_step"): (Level.EVALUATION, "`test_step` runs in evaluation"),
    ("lightning", "predict_step"): (Level.EVERY_STEP, "`predict_step` runs for every batch"),
    ("lightning", "configure_optimizers"): (Level.ONCE, "`configure_optimizers` runs once"),
    ("trainer", "compute_loss"): (Level.EVERY_STEP, "`compute_loss` of a Trainer runs every step"),
    ("trainer", "training_step"): (Level.EVERY_STEP, "`training_step` of a Trainer runs every step"),
    ("trainer", "prediction_step"): (Level.EVALUATION, "`prediction_step` of a Trainer runs in evaluation"),
    ("decoding", "__call__"): (Level.EVERY_STEP, "generation calls it for every token"),
    **{(kind, f"on_{phase}_batch_{end}"): (level, f"`on_{phase}_batch_{end}` runs {'every step' if level is Level.EVERY_STEP else 'in evaluation'}")
       for kind in ("lightning", "callback")
       for phase, level in (("train", Level.EVERY_STEP), ("validation", Level.EVALUATION), ("test", Level.EVALUATION))
       for end in ("start", "end")},
    **{(kind, f"{prefix}{phase}_epoch_{end}"): (Level.EVERY_EPOCH, f"`{prefix}{phase}_epoch_{end}` runs every epoch")
       for kind in ("lightning", "callback")
       for prefix in ("on_", "")
       for phase in ("train", "training", "validation", "test")
       for end in ("start", "end")},
    **{(kind, hook): (Level.EVERY_STEP, f"`{hook}` runs every step")
       for kind in ("lightning", "callback")
       for hook in ("on_before_optimizer_step", "on_after_backward", "on_before_backward", "on_before_zero_grad",
                    "optimizer_step", "configure_gradient_clipping", "lr_scheduler_step", "manual_backward")},
}  # fmt: skip
"""(kind of class, method) -> how often it runs, and the words for it."""

WORKER_KINDS: dict[str, str] = {
    "dataset": "a Dataset runs in the DataLoader's workers, on the CPU",
    "sampler": "a Sampler draws indices on the CPU",
    "transform": "a data transform runs before the data reaches the GPU",
    "data module": "a data module prepares data on the CPU",
}
"""Kinds of classes whose methods work on host data."""

COLD_NAMES: tuple[str, ...] = (
    "__init__", "__repr__", "__str__", "__setstate__", "__getstate__", "__del__", "__post_init__", "extra_repr",
    "reset_parameters", "init_weights", "_init_weights", "initialize_weights", "state_dict", "load_state_dict",
    "_load_from_state_dict", "from_pretrained", "save_pretrained", "from_config", "register", "setup", "main",
)  # fmt: skip
"""Names of functions that run once, unless a step is seen to call them."""

COLD_PREFIXES: tuple[str, ...] = (
    "load", "save", "convert_", "export", "build", "init_", "create_", "make_", "setup", "set_", "parse_", "plot", "visualize", "test_",
    "get_parser", "download", "from_pretrained", "prune_", "quantize_", "fuse_", "unfuse_", "checkpoint_", "remap_", "enable_",
    "disable_", "register_", "postprocess", "decode_latents", "numpy_to", "pt_to", "tensor_to_", "tensor2", "to_pil", "to_numpy",
    "write_", "dump_", "show_", "draw_", "render_", "print_",
)  # fmt: skip
"""Beginnings of names (behind underscores) of functions that run once or make output, unless a step is seen to call them."""

EVALUATION_NAMES: tuple[str, ...] = (
    "eval", "evaluate", "evaluation", "validate", "validation", "valid", "val", "test", "estimate_loss", "run_eval", "do_eval",
    "eval_epoch", "val_epoch", "validation_epoch", "test_epoch", "evaluate_model", "inference_epoch",
)  # fmt: skip
EVALUATION_PREFIXES: tuple[str, ...] = ("eval_", "evaluate_", "validate_", "val_", "valid_", "validation_")

DATA_FOLDERS = frozenset((
    "data", "dataset", "datasets", "dataloader", "dataloaders", "data_loader", "loader", "loaders", "sampler", "samplers", "io",
    "preprocessing", "tokenization", "tokenizers",
))  # fmt: skip
"""Names of folders whose functions are not taken to run in a step just because they work on tensors."""

MODEL_NAMES = frozenset((
    "model", "net", "network", "unet", "transformer", "decoder", "encoder", "generator", "discriminator", "policy", "actor",
    "critic", "agent", "backbone", "student", "teacher", "module", "denoiser", "vae", "controlnet", "llm", "lm", "ema_model",
    "model_engine", "engine", "text_encoder", "prior",
))  # fmt: skip
"""Last words of names that are called as models, where nothing else is known of them."""

LOADER_WORDS = ("loader", "dataloader", "batches", "data_iter", "prefetcher")
"""Words in the name of what yields batches, where nothing else is known of it."""

GATE_WORDS = ("log", "print", "report", "summary", "debug", "verbose", "sync", "monitor", "tensorboard", "wandb", "display",
              "vis", "dump", "profile", "save", "checkpoint", "eval")  # fmt: skip
"""Words in a condition that lets its body run now and then, such as `if should_log:`."""

COMPILERS = frozenset((
    "torch.compile", "torch.jit.script", "torch.jit.trace", "torch._dynamo.optimize", "torch.compiler.compile",
))
"""Decorators that make the region a traced graph, where a wait is a graph break or an error."""

KERNEL_DECORATORS = frozenset((
    "triton.jit", "triton.autotune", "triton.heuristics", "numba.cuda.jit", "numba.jit", "numba.njit", "cuda.jit", "tl.jit",
    "numba.vectorize", "numba.guvectorize", "gluon.jit", "triton.experimental.gluon.jit", "helion.kernel", "cute.jit", "cute.kernel",
))  # fmt: skip
"""Decorators that make a function code of another machine: a kernel, or compiled host code without torch."""

HOST_BATCH = {"return_tensors": "pt"}
"""Keyword arguments by which tokenizers and processors of Transformers return a batch of host tensors.

Source: transformers 5 `BatchEncoding.convert_to_tensors`, which builds them with `torch.tensor` and no device.
"""

NO_GRAD = frozenset((
    "torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad", "torch.autograd.inference_mode",
))

STEP_FUNCTIONS = frozenset((
    "step", "train_step", "training_step", "train_batch", "train_one_batch", "train_iteration", "train_iter", "run_step",
    "forward_backward", "forward_backward_step", "optimize_step", "update_step", "one_step", "do_step", "fit_batch",
))  # fmt: skip
"""Names of functions that are one step of a program; a loop that calls one is a loop over steps."""


def class_kind(name: str) -> str | None:
    """What an instance of a library class is (`module`, `dataset`, …), or None where no fact says."""
    if kind := KINDS.get(name):
        return kind
    root, _, _ = name.partition(".")
    last = name.rpartition(".")[2]
    if name.startswith("torch.nn.") and last[:1].isupper():
        return None if last in ("Parameter", "Buffer", "UninitializedParameter") else "module"
    if name.startswith("torch.optim.") and last[:1].isupper() and ".lr_scheduler." not in name:
        return "optimizer"
    if root == "torchmetrics" and last[:1].isupper():
        return "metric"
    if name.startswith("torchvision.transforms.") and last[:1].isupper():
        return "transform"
    if name.startswith("torch_geometric.nn.") and last[:1].isupper():
        return "module"
    return None


def is_metric(name: str) -> bool:
    """The class is one of TorchMetrics' metrics."""
    return class_kind(name) == "metric"
