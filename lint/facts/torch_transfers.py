"""Copies between host and device: which calls make them, and what avoids the wait.

Sources: torch 2.13 `aten/src/ATen/native/cuda/Copy.cu` (a copy from or to the host waits for its stream unless it is
`non_blocking`; from pageable memory the driver first copies to a buffer of its own, and may wait for that),
`torch/csrc/utils/tensor_new.cpp` (`internal_new_from_data` builds on the host and moves the result),
`aten/src/ATen/native/TensorCompare.cpp` (`where` moves a 0-dim CPU tensor with a copy that waits); the call graphs of
the official CUDA wheels 2.12 to 2.15.
"""

from __future__ import annotations

from .torch_ops import Wait

TO_DEVICE = (
    Wait(
        ("to", "cuda", "type", "type_as"),
        "copies from the host to the device",
        "aten/src/ATen/native/cuda/Copy.cu `copy_kernel_cuda`",
        unless=("non_blocking",),
    ),
    Wait(
        ("copy_",),
        "copies from the host to the device",
        "aten/src/ATen/native/cuda/Copy.cu `copy_kernel_cuda`",
        unless=("non_blocking",),
    ),
)

FROM_DATA = (
    Wait(
        ("tensor", "as_tensor", "asarray", "new_tensor"),
        "is built on the host and copied to the device",
        "torch/csrc/utils/tensor_new.cpp `internal_new_from_data`",
    ),
    Wait(
        ("where",),
        "copies its 0-dim tensor from the host to the device",
        "aten/src/ATen/native/TensorCompare.cpp `where_self_out`",
    ),
)

ROWS: dict[str, Wait] = {name: row for row in (*TO_DEVICE, *FROM_DATA) for name in row.names}
"""Last name of a function or method -> its row."""

COPIES = tuple(f"Tensor.{name}" for row in TO_DEVICE for name in row.names)
"""Tensor methods that may copy to the device."""

NO_TENSORS = frozenset(("tensor", "new_tensor"))
"""Constructors that warn when given a tensor, so their argument is assumed to be host data.

Source: torch 2.13 `torch/csrc/utils/tensor_new.cpp`, "To copy construct from a tensor, it is recommended to use …".
"""

OF_TENSORS = frozenset(("torch.utils.data.TensorDataset",))
"""Data sets that return parts of the tensors they are made of. Source: torch 2.13 `torch/utils/data/dataset.py`."""

LOADER_PARAMETERS = (
    "dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "num_workers", "collate_fn", "pin_memory",
)  # fmt: skip
"""The first parameters of a DataLoader, in order. Source: torch 2.13 `torch/utils/data/dataloader.py`."""

COLLATED_AS_LISTS = frozenset(("str", "bytes"))
"""Types of which a DataLoader makes lists by default; numbers and arrays become tensors, containers are gone through.

Source: torch 2.13 `torch/utils/data/_utils/collate.py` (`default_collate_fn_map`).
"""

SYNCHRONIZING = frozenset((
    "synchronize", "wait", "query", "barrier", "item", "tolist", "cpu", "nonzero", "unique", "empty_cache", "join",
    "result", "get",
))  # fmt: skip
"""Last names of calls after which a copy to the host may be complete. Source: torch 2.13 `torch/cuda/streams.py`."""

WAITS_FOR_COPIES = frozenset(("synchronize", "wait", "query", "barrier"))
"""Of those, the ones that are called to wait for copies."""

SAVES = "torch.save"
"""What copies each storage of its `obj` to the host to write it. Source: torch 2.13 `serialization.py`: `_save`."""

PREPARING = frozenset((
    "prepare", "prepare_data_loader", "setup_dataloaders", "_prepare_dataloader", "deepspeed_io", "initialize",
    "MpDeviceLoader", "ParallelLoader", "to_distributed",
))  # fmt: skip
"""Last names of framework functions that return a loader that moves its batches itself.

Source: accelerate 1.10 `Accelerator.prepare`, Lightning 2.6 `Fabric.setup_dataloaders`, torch_xla `MpDeviceLoader`.
"""
