"""The classes of libraries and their kinds.

Sources: torch 2.13 `torch.nn.Module`, `torch.optim.Optimizer`, `torch.utils.data`; torchdata 0.11
`stateful_dataloader`; TorchMetrics 1.9 and Ignite 0.5 `Metric`; Transformers 5.23 `trainer.py`,
`trainer_callback.py`, `pipelines/base.py`, `generation/streamers.py` and `processing_utils.py`; torchvision 0.29
`transforms`; PyTorch Geometric 2.8 `transforms` and `data`; ASE 3.29 `calculators/calculator.py`.
"""

from __future__ import annotations

from functools import lru_cache

from . import accelerators, command_lines, composer, lightning, modules
from .distributions import family_of

KINDS: dict[str, str] = {
    "torch.nn.Module": "module",
    "torch.jit.ScriptModule": "module",
    "torch.nn.modules.loss._Loss": "module",
    "torch.nn.modules.Module": "module",
    "torch.nn.modules.module.Module": "module",
    "unittest.TestCase": "test case",
    "unittest.IsolatedAsyncioTestCase": "test case",
    "torch.utils.data.Dataset": "dataset",
    "torch.utils.data.IterableDataset": "iterable dataset",
    "torch.utils.data.dataset.IterableDataset": "iterable dataset",
    "torch.distributions.Distribution": "distribution",
    "torch.distributions.distribution.Distribution": "distribution",
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
    "torchdata.stateful_dataloader.StatefulDataLoader": "dataloader",
    "torchdata.stateful_dataloader.stateful_dataloader.StatefulDataLoader": "dataloader",
    "torch.optim.swa_utils.AveragedModel": "module",
    "torch.optim.Optimizer": "optimizer",
    "torch.optim.optimizer.Optimizer": "optimizer",
    "torch.autograd.Function": "function",
    "torch.autograd.function.Function": "function",
    "torchmetrics.Metric": "metric",
    "torchmetrics.metric.Metric": "metric",
    "ignite.metrics.Metric": "epoch metric",
    "ignite.metrics.metric.Metric": "epoch metric",
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
    "transformers.Seq2SeqTrainer": "trainer",
    "transformers.TrainerCallback": "trainer callback",
    "transformers.trainer_callback.TrainerCallback": "trainer callback",
    **{f"transformers.{name}": "pipeline" for name in ("Pipeline", "pipelines.Pipeline", "pipelines.base.Pipeline")},
    **{f"transformers.{name}": "processor" for name in (
        "image_processing_base.ImageProcessingMixin", "image_processing_utils.BaseImageProcessor", "BaseImageProcessor",
        "image_processing_utils_fast.BaseImageProcessorFast", "BaseImageProcessorFast", "ImageProcessingMixin",
        "video_processing_utils.BaseVideoProcessor", "BaseVideoProcessor", "ProcessorMixin",
        "processing_utils.ProcessorMixin", "FeatureExtractionMixin", "feature_extraction_utils.FeatureExtractionMixin",
        "SequenceFeatureExtractor", "feature_extraction_sequence_utils.SequenceFeatureExtractor")},
    "ase.calculators.calculator.Calculator": "calculator",
    "transformers.StoppingCriteria": "decoding",
    "transformers.LogitsProcessor": "decoding",
    "transformers.LogitsWarper": "decoding",
    **{f"transformers.{place}{name}": "streamer"
       for place in ("", "generation.", "generation.streamers.")
       for name in ("BaseStreamer", "TextStreamer", "TextIteratorStreamer", "AsyncTextIteratorStreamer")},
    modules.LOADED: "loaded model",
    **lightning.KINDS,
    **composer.KINDS,
    **command_lines.KINDS,
    **accelerators.KINDS,
}  # fmt: skip
"""Full name of a class -> the kind of its subclasses."""

FIELD_MAKERS = frozenset(
    ("dataclasses.dataclass", "typing.NamedTuple", "attr.s", "attrs.define", "attrs.frozen", "attr.define")
)
"""Decorators and base classes that generate a constructor from a class's annotated names.

Source: Python 3.13 and attrs 25 documentation.
"""

FOLLOWED = frozenset(("metric", "dataloader"))
"""Kinds whose instances are followed from where they are created to where they are used."""

ROOTS = frozenset((
    "object", "abc.ABC", "typing.Generic", "typing.Protocol", "torch.nn.Module", "torch.distributions.Distribution",
    "torch.distributions.distribution.Distribution",
))  # fmt: skip
"""Classes that others of libraries are derived from: of several bases, Python asks them last, in the order in which it
resolves methods. Sources: Python 3.13, `type.mro`; torch 2.13 `torch/nn/modules`, `torch/distributions`."""

METRIC_KINDS = frozenset(("metric", "epoch metric"))
"""Kinds of objects that gather results, on a device of their own."""
MODULE_KINDS = frozenset(("module", "lightning"))
"""Kinds whose instances are called through `forward` and hold parameters on a device."""

WORKER_KINDS: dict[str, str] = {
    "dataset": "a Dataset runs in the DataLoader's workers, on the CPU",
    "iterable dataset": "an IterableDataset runs in the DataLoader's workers, on the CPU",
    "sampler": "a Sampler draws indices on the CPU",
    "transform": "a data transform runs before the data reaches the GPU",
    "data module": "a data module prepares data on the CPU",
    "test case": "a test waits to look at results",
}
"""Kinds of classes whose methods work on host data."""

COMPILERS = frozenset(
    (
        "torch.compile",
        "torch.jit.trace",
        "torch._dynamo.optimize",
        "torch.compiler.compile",
    )
)
"""Decorators that turn a function into a traced graph, where a wait is a graph break or an error."""

SCRIPTERS = frozenset(("torch.jit.script", "torch.jit.script_method", "torch.jit.export"))
"""Decorators that compile a function to TorchScript, which waits as Python does, but for indices without dimensions.

`x[i]` becomes `aten::index(x, [i])` and `x[i] = y` `aten::index_put_`, whose index stays on the device.
Source: torch 2.13 `torch/csrc/jit/frontend/ir_emitter.cpp`, and the graphs of functions scripted with it.
"""

CACHING_DECORATORS = frozenset(("cache", "lru_cache", "cached_property"))
"""Last names of decorators that keep results. Source: Python 3.13, `functools`."""

KERNEL_DECORATORS = (
    "triton.jit", "triton.autotune", "triton.heuristics", "numba.cuda.jit", "numba.jit", "numba.njit", "cuda.jit",
    "tl.jit", "numba.vectorize", "numba.guvectorize", "gluon.jit", "triton.experimental.gluon.jit", "helion.kernel",
    "cute.jit", "cute.kernel", "tilelang.jit", "language.prim_func", "T.prim_func", "warp.kernel", "warp.func",
    "wp.kernel", "wp.func", "taichi.kernel", "taichi.func", "ti.kernel", "ti.func", "jit.rawkernel", "nki.jit",
)  # fmt: skip
"""What the names of decorators end with that compile a function for something else: a GPU kernel, or host code without
torch. Many projects import `triton` through a module of their own."""

CANONICAL: dict[str, str] = {
    "torch.functional": "torch", "torch.nn.modules.loss": "torch.nn", "torch.nn.modules": "torch.nn",
    "torch.Tensor.Tensor": "torch.Tensor", "lightning.pytorch": "lightning",
    "torch.utils.data.dataloader.DataLoader": "torch.utils.data.DataLoader",
}  # fmt: skip
"""Aliases, as full names -> the full name that all facts use."""

PROCESS_GROUPS = frozenset(("init_process_group", "DistributedDataParallel"))
"""Last names of calls that set up communication between processes. Source: torch 2.13 `torch.distributed`."""

OF_TRAINERS = frozenset(("trl", "sentence_transformers"))
"""Packages whose classes named `…Trainer` derive from the Trainer of Transformers, but for `OWN_TRAINERS`.

Sources: TRL 1.16 `trainer/base_trainer.py`; Sentence Transformers 6.2 `base/trainer.py`.
"""
OWN_TRAINERS = frozenset(("PPOTrainer",))
"""Names of trainers with a loop of their own. Source: TRL 0.11 `trainer/ppo_trainer.py`."""

HOST_BATCH = {"return_tensors": "pt"}
"""Keyword arguments that make the tokenizers and processors of Transformers return a batch of host tensors.

Source: transformers 5 `BatchEncoding.convert_to_tensors`, which builds them with `torch.tensor` and no device.
"""

COLLECTIONS = (
    *(f"torch_geometric.data.{name}" for name in ("Data", "HeteroData", "Batch.from_data_list")),
    "dgl.batch", "transformers.BatchEncoding", "transformers.BatchFeature",
    "detectron2.structures.Boxes", "detectron2.structures.ImageList.from_tensors",
)  # fmt: skip
"""What makes an object that holds tensors, which `.to(device)` moves together.

Sources: PyTorch Geometric 2.8 `data`, DGL 2.4 `batch.py`, transformers 5.23 `tokenization_utils_base.py`,
detectron2 0.6 `structures`.
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

GRADIENT_SWITCHES = frozenset(("torch.set_grad_enabled", "torch.autograd.set_grad_enabled"))
"""Functions, also used as context managers, whose argument says whether gradients are recorded from then on.

Source: torch 2.13 `torch/autograd/grad_mode.py`.
"""


@lru_cache(4096)
def class_kind(name: str) -> str | None:
    """Return what an instance of a library class is (`module`, `dataset`, …), or None if no fact says."""
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
    if root in OF_TRAINERS and last.endswith("Trainer") and last not in OWN_TRAINERS:
        return "trainer"
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
    """Whether the class is one of TorchMetrics' metrics."""
    return class_kind(name) == "metric"
