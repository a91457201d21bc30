"""What the classes of libraries are, and how often their hooks run.

Sources: torch 2.13 `torch.nn.Module.__call__`, `torch.optim.Optimizer`, `torch.utils.data`; Lightning 2.6
`LightningModule` and `Callback` hooks; TorchMetrics 1.9 `Metric`; Transformers 5 `Trainer`; torchvision 0.29
`transforms`; PyTorch Geometric 2.8 `transforms` and `data`.
"""

from __future__ import annotations

from ..finding import Level
from .distributions import family_of

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
    "torch.optim.swa_utils.AveragedModel": "module",
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
       for name, kind in (("LightningModule", "lightning"), ("Callback", "callback"),
                          ("LightningDataModule", "data module"))},
    "pytorch_lightning.callbacks.Callback": "callback",
    "lightning.pytorch.callbacks.Callback": "callback",
}  # fmt: skip
"""Full name of a class -> what its subclasses are."""

FIELD_MAKERS = frozenset(
    ("dataclasses.dataclass", "typing.NamedTuple", "attr.s", "attrs.define", "attrs.frozen", "attr.define")
)
"""Decorators and bases that make a constructor of a class's annotated names.

Source: Python 3.13 and attrs 25 documentation.
"""

FOLLOWED = frozenset(("metric", "dataloader"))
"""Kinds whose objects are followed from where they are made to where they are used."""

MODULE_KINDS = frozenset(("module", "lightning"))
"""Kinds whose instances are called through `forward` and hold parameters on a device."""

HOOKS: dict[tuple[str, str], tuple[Level, str]] = {
    ("module", "forward"): (Level.EVERY_STEP, "`forward` of a module runs every step"),
    ("function", "forward"): (Level.EVERY_STEP, "`forward` of an autograd.Function runs every step"),
    ("function", "backward"): (Level.EVERY_STEP, "`backward` of an autograd.Function runs every step"),
    ("optimizer", "step"): (Level.EVERY_STEP, "an optimizer's `step` runs every step"),
    ("metric", "update"): (Level.EVERY_STEP, "a metric's `update` runs every step"),
    ("metric", "forward"): (Level.EVERY_STEP, "a metric's `forward` runs every step"),
    ("metric", "compute"): (Level.EVERY_STEP, "a metric's `compute` runs whenever the metric is called, for the "
                                              "batch's value"),
    ("lightning", "training_step"): (Level.EVERY_STEP, "`training_step` runs every step"),
    ("lightning", "validation_step"): (Level.EVALUATION, "`validation_step` runs in evaluation"),
    ("lightning", "test_step"): (Level.EVALUATION, "`test_step` runs in evaluation"),
    ("lightning", "predict_step"): (Level.EVERY_STEP, "`predict_step` runs for every batch"),
    ("lightning", "configure_optimizers"): (Level.ONCE, "`configure_optimizers` runs once"),
    ("trainer", "compute_loss"): (Level.EVERY_STEP, "`compute_loss` of a Trainer runs every step"),
    ("trainer", "training_step"): (Level.EVERY_STEP, "`training_step` of a Trainer runs every step"),
    ("trainer", "prediction_step"): (Level.EVALUATION, "`prediction_step` of a Trainer runs in evaluation"),
    ("decoding", "__call__"): (Level.EVERY_STEP, "generation calls it for every token"),
    **{(kind, f"on_{phase}_batch_{end}"): (level, f"`on_{phase}_batch_{end}` runs {when}")
       for kind in ("lightning", "callback")
       for phase, level, when in (("train", Level.EVERY_STEP, "every step"),
                                  ("validation", Level.EVALUATION, "in evaluation"),
                                  ("test", Level.EVALUATION, "in evaluation"))
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

COMPILERS = frozenset(
    (
        "torch.compile",
        "torch.jit.script",
        "torch.jit.trace",
        "torch._dynamo.optimize",
        "torch.compiler.compile",
    )
)
"""Decorators that make the region a traced graph, where a wait is a graph break or an error."""

CACHES = frozenset(("functools.lru_cache", "functools.cache"))
"""Decorators that keep results. Source: Python 3.13, `functools`."""

KERNEL_DECORATORS = frozenset((
    "triton.jit", "triton.autotune", "triton.heuristics", "numba.cuda.jit", "numba.jit", "numba.njit", "cuda.jit",
    "tl.jit", "numba.vectorize", "numba.guvectorize", "gluon.jit", "triton.experimental.gluon.jit", "helion.kernel",
    "cute.jit", "cute.kernel",
))  # fmt: skip
"""Decorators that make a function code of another machine: a kernel, or compiled host code without torch."""

CANONICAL: dict[str, str] = {
    "torch.functional": "torch", "torch.nn.modules.loss": "torch.nn", "torch.nn.modules": "torch.nn",
    "torch.Tensor.Tensor": "torch.Tensor", "lightning.pytorch": "lightning",
    "torch.utils.data.dataloader.DataLoader": "torch.utils.data.DataLoader",
}  # fmt: skip
"""Full names under which the same things go -> the name that all facts use."""

PROCESS_GROUPS = frozenset(("init_process_group", "DistributedDataParallel"))
"""Last names of calls that set up how processes communicate. Source: torch 2.13 `torch.distributed`."""

HOST_BATCH = {"return_tensors": "pt"}
"""Keyword arguments by which tokenizers and processors of Transformers return a batch of host tensors.

Source: transformers 5 `BatchEncoding.convert_to_tensors`, which builds them with `torch.tensor` and no device.
"""

NO_GRAD = frozenset(
    (
        "torch.no_grad",
        "torch.inference_mode",
        "torch.autograd.no_grad",
        "torch.autograd.inference_mode",
    )
)
"""Context managers and decorators under which no gradients are recorded."""


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
    if family_of(name) is not None:
        return "distribution"
    if name.startswith("torchvision.transforms.") and last[:1].isupper():
        return "transform"
    if name.startswith("torch_geometric.nn.") and last[:1].isupper():
        return "module"
    if name.startswith("torch_geometric.loader.") and last.endswith("Loader"):
        return "dataloader"
    return None


def is_metric(name: str) -> bool:
    """The class is one of TorchMetrics' metrics."""
    return class_kind(name) == "metric"
