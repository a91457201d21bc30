"""Methods and attributes of torch's modules.

Sources: torch 2.13 `torch/nn/modules/module.py`, `torch/nn/modules/batchnorm.py`.
"""

from __future__ import annotations

SELF_METHODS = frozenset((
    "to", "cuda", "cpu", "eval", "train", "half", "float", "double", "bfloat16", "requires_grad_", "apply",
    "share_memory", "compile", "xpu", "to_empty", "type",
))  # fmt: skip
"""Methods of modules that return the module itself."""

BEFORE_A_CALL = frozenset(("to", "cuda", "eval", "half", "bfloat16"))
"""Those of them after which what is called must be a module: a tensor is not, and nothing else is moved so."""

METHODS = SELF_METHODS | frozenset((
    "parameters", "buffers", "named_parameters", "named_buffers", "state_dict", "modules", "children", "named_modules",
    "named_children", "get_submodule", "extra_repr", "zero_grad", "load_state_dict", "register_buffer", "add_module",
    "register_parameter", "add_state",
))  # fmt: skip
"""Methods of torch.nn.Module (and of TorchMetrics' Metric) whose results are known."""

OF_MODULES = (METHODS - SELF_METHODS) | {"eval", "train"}
"""Those of them that nothing has that is copied when it is moved, as tensors and batches are."""

CONTAINERS = {"torch.nn.ModuleList": "list", "torch.nn.Sequential": "list", "torch.nn.ModuleDict": "dict"}
"""Modules that hold others -> what they are like. Source: torch 2.13 `torch/nn/modules/container.py`."""

OF_CONTAINERS = frozenset(("keys", "values", "items", "children", "pop"))
"""Their methods that give the modules in them, or the names of these."""

ADDING = {"append": "append", "extend": "extend", "insert": "insert", "add_module": "insert", "update": "update"}
"""Their methods that add modules -> those of a list or dict that do the same with their arguments."""

IN_ORDER = "torch.nn.Sequential"
"""The one of them that calls them, one after the other."""

REGISTERING = frozenset(("register_buffer", "register_parameter", "add_state"))
"""Methods that bind an attribute by its name."""

REGISTERED_AS = ("name", "tensor", "param", "default")
"""Names of their parameters for name and value. Source: torch 2.13 `nn/modules/module.py`, torchmetrics 1.9
`metric.py`.
"""

GRADIENTS_OF = "torch.autograd.grad"
"""What returns the gradients of its second argument, `inputs`. Source: torch 2.13 `torch/autograd/__init__.py`."""

WRAPPERS = {
    "torch.compile": "model",
    "torch.jit.script": "obj",
    "torch.nn.DataParallel": "module",
    "torch.nn.parallel.DataParallel": "module",
    "torch.nn.parallel.data_parallel.DataParallel": "module",
    "torch.nn.parallel.DistributedDataParallel": "module",
    "torch.nn.parallel.distributed.DistributedDataParallel": "module",
    "torch.distributed.fsdp.FullyShardedDataParallel": "module",
    "torch.distributed.fsdp.fully_sharded_data_parallel.FullyShardedDataParallel": "module",
    "torch.distributed.fsdp.fully_shard": "module",
    "torch.nn.SyncBatchNorm.convert_sync_batchnorm": "module",
    "apex.parallel.DistributedDataParallel": "module",
    "apex.parallel.convert_syncbn_model": "module",
}
"""What returns a module, or what runs it when it is called -> the parameter for it, the first.

Sources: torch 2.13 `nn/parallel/`, `distributed/fsdp/`, `nn/modules/batchnorm.py`, `jit/_script.py`; apex 0.1
`parallel/__init__.py`, `parallel/distributed.py`.
"""

WRAPPED = "module"
"""The attribute of most of these that is the module, as far as it has none of that name itself. Source: see above."""

MODULE = "torch.nn.Module"
MOVED_WHEN_MADE = ("Module.to", "Module.cuda")
"""Methods that copy a module to the device, as they are recorded where the module is made in the same expression."""

RUNNING = frozenset(("forward", "generate"))
"""Methods that run a model as a call of it does. Source: torch 2.13 `Module`, Transformers 4.57 `GenerationMixin`."""

WITH_PARAMETERS = frozenset((
    "Linear", "Bilinear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d",
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm", "LayerNorm", "GroupNorm", "Embedding",
    "EmbeddingBag", "RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell", "MultiheadAttention", "PReLU",
))  # fmt: skip
"""Modules of `torch.nn` that are made with parameters, on the host unless given a device, whatever else they are given.
"""

TENSORS = frozenset(("weight", "bias", "running_mean", "running_var"))
"""Attributes of torch's own modules that are tensors."""

LOADED = "a model that something unknown has made"
"""Stands for the class of a model that is made by a function with one of the names below, which nobody knows."""

LOADING = r"^(?:from_pretrained|from_config|from_single_file|load_from_checkpoint|load_model|build_model|create_model)$"
"""A pattern for names of functions that make models, or pipelines of several.

Sources: transformers 5.23 `modeling_utils.py`; diffusers 0.35 `pipelines/pipeline_utils.py`, `loaders/single_file.py`;
Lightning 2.6 `LightningModule`; timm 1.0 `create_model`; common usage.
"""

NO_TENSORS = frozenset((
    "cfg", "conf", "config", "configs", "feature_extractor", "generation_config", "hparams", "image_processor",
    "processor", "scheduler", "tokenizer", "tokenizer_2", "tokenizer_3",
))  # fmt: skip
"""Attributes of models and pipelines that hold no tensors on their device: what configures them, and prepares data.

Sources: transformers 5.23 `PreTrainedModel`, diffusers 0.35 `DiffusionPipeline` (a scheduler is not moved with it),
Lightning 2.6 `LightningModule`.
"""
