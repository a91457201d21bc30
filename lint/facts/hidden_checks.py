"""Functions and modules of torch.nn that internally read, compare or copy, and modes that check every step.

Sources: torch 2.13 `torch/nn/functional.py`, `torch/nn/modules/batchnorm.py`, `_functions.py`, `adaptive.py`,
`transformer.py`, `torch/nn/utils/rnn.py`, `torch/autograd/anomaly_mode.py`; `aten/src/ATen/native/LossNLL.cpp`
(`cross_entropy_loss_label_smoothing` selects weights by a mask) and `cuda/LossCTC.cu` (copies lengths to the device,
and where each target begins, and reads lengths that are there); `torch/csrc/autograd/engine.cpp` (anomaly mode checks
every gradient for NaN). All wait in 2.15 as well. Each row was run, except `SyncBatchNorm`, which needs two processes.
"""

from __future__ import annotations

from .graph_layers import layer_of
from .parameters import PARAMETERS

MASKED: dict[str, tuple[tuple[str, int, str, int], ...]] = {
    "TransformerEncoder": (("mask", 1, "is_causal", 3),),
    "TransformerDecoder": (("tgt_mask", 2, "tgt_is_causal", 6),),
    "Transformer": (("src_mask", 2, "src_is_causal", 8), ("tgt_mask", 3, "tgt_is_causal", 9)),
}
"""Module -> the masks it compares with a causal one, each with its position, unless `is_causal` is set."""

MASKS_SINCE = "2.0"
"""The first version of torch that compares them. Source: `_detect_is_causal_mask` in `torch/nn/modules/transformer.py`.
"""

CALLED = frozenset((*MASKED, "GaussianNLLLoss", "CrossEntropyLoss", "AdaptiveLogSoftmaxWithLoss", "CTCLoss"))
"""Modules whose calls are recorded."""

WORDS = ("torchmetrics", "torch_geometric", *CALLED)
"""What stands in files that call metrics or such modules."""

NORMS_WITH_COUNTER = frozenset(name for name in PARAMETERS if "BatchNorm" in name)
"""Modules that read their batch counter in training when `momentum=None`."""

SYNCHRONISED_NORMS = frozenset(("torch.nn.SyncBatchNorm", "torch.nn.SyncBatchNorm.convert_sync_batchnorm"))
"""Functions that create modules which drop empty processes by a mask, when there are several processes."""

PACKING = frozenset(("pack_padded_sequence", "pack_sequence"))
"""Functions of `torch.nn.utils.rnn` that copy an order to the device when `enforce_sorted=False`."""

UNPACKING = frozenset(("pad_packed_sequence", "unpack_sequence"))
"""Functions of `torch.nn.utils.rnn` that copy that order back to the host."""

ANOMALY = frozenset(("detect_anomaly", "set_detect_anomaly"))
"""Last names of what turns anomaly mode on, in `torch.autograd`."""

TRAINERS = frozenset(f"{root}.Trainer" for root in ("lightning", "pytorch_lightning", "pl"))
"""Trainers that take `detect_anomaly=`. Source: Lightning 2.6 `Trainer`."""

PARALLEL = frozenset(("DataParallel", "data_parallel"))
"""Last names of what splits each batch across GPUs in one process, in `torch.nn`."""

FUNCTIONS = frozenset(("gaussian_nll_loss", "cross_entropy", "ctc_loss"))
"""Functions of `torch.nn.functional`."""


def is_called(cls: str) -> bool:
    """Whether rules look at calls of instances of this class, given by its full name."""
    return (cls.startswith("torch.nn.") and cls.rpartition(".")[2] in CALLED) or layer_of(cls) is not None
