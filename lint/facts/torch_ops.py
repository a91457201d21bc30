"""Functions and methods of torch that make the host wait: when, in which versions, and how we know.

Sources: the call graphs of the official CUDA wheels 2.5–2.15, the files they ship, and `test_sync_warning` in PyTorch's
own `test/test_torch.py`. A name stands for both the function (`torch.unique`) and the method (`torch.Tensor.unique`);
`since`/`until` are the torch versions with the wait (until is the first without it).
"""

from __future__ import annotations

from typing import NamedTuple

from .dtypes import TENSOR_CLASSES

OBSERVED = "observed in torch's CUDA code 2.15.0+cu132, emulated"
"""How rows are known that running torch's own code has brought to light."""


class Wait(NamedTuple):
    """One row; `unless` are arguments that remove the wait, `needs` arguments without which there is none."""

    names: tuple[str, ...]
    because: str
    source: str
    unless: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    since: str = ""
    until: str = ""


VALUE_READS = (
    Wait(
        ("item",), "reads one value to the host", "aten/src/ATen/native/cuda/CUDAScalar.cu `_local_scalar_dense_cuda`"
    ),
    Wait(("tolist",), "copies every value to the host", "torch/csrc/utils/tensor_list.cpp"),
    Wait(("is_nonzero",), "reads one value to the host", "aten/src/ATen/native/TensorProperties.cpp"),
    Wait(("equal",), "compares on the device and reads the result", "aten/src/ATen/native/cuda/Equal.cpp"),
    Wait(("allclose",), "compares on the device and reads the result", "aten/src/ATen/native/TensorCompare.cpp"),
    Wait(
        ("assert_close",), "compares on the device and reads the result, several times", "torch/testing/_comparison.py"
    ),
)

SHAPES = (
    Wait(
        ("nonzero", "argwhere"),
        "counts the non-zero entries before it can size the result",
        "aten/src/ATen/native/cuda/Nonzero.cu",
    ),
    Wait(
        ("unique", "unique_consecutive"),
        "counts the distinct values before it can size the result",
        "aten/src/ATen/native/cuda/Unique.cu",
    ),
    Wait(
        ("masked_select",),
        "counts the selected entries before it can size the result",
        "aten/src/ATen/native/cuda/IndexKernel.cpp",
    ),
    Wait(
        ("repeat_interleave",),
        "sums the repeats before it can size the result",
        "aten/src/ATen/native/cuda/Repeat.cu",
        unless=("output_size",),
    ),
    Wait(("bincount",), "reads the smallest and largest values", "aten/src/ATen/native/cuda/SummaryOps.cu"),
    Wait(
        ("histc",),
        "reads the smallest and largest values",
        "aten/src/ATen/native/cuda/SummaryOps.cu",
        unless=("min", "max"),
    ),
    Wait(("one_hot",), "reads the largest class, unless `num_classes` is given", "aten/src/ATen/native/Onehot.cpp"),
)

DATA_DEPENDENT = (
    Wait(("matrix_exp",), "selects matrices by norm with `nonzero`", "aten/src/ATen/native/LinearAlgebra.cpp"),
    Wait(
        ("searchsorted",),
        "checks the range of `sorter`",
        "aten/src/ATen/native/BucketizationUtils.h",
        needs=("sorter",),
    ),
    Wait(("combinations",), "selects with a mask", "aten/src/ATen/native/Itertools.cpp", until="2.14"),
    Wait(("normal",), "checks that no `std` is negative", "aten/src/ATen/native/cuda/Distributions.cpp", until="2.14"),
    Wait(
        ("sample",),
        "for a normal distribution checks that no `scale` is negative",
        "torch/distributions/normal.py",
        until="2.14",
    ),
    Wait(("cov", "corrcoef"), "checks the degrees of freedom on the host", "aten/src/ATen/native/Correlation.cpp"),
    Wait(("istft",), "checks the overlap of the windows on the host", "aten/src/ATen/native/SpectralOps.cpp"),
    Wait(("coalesce",), "counts the distinct indices", "aten/src/ATen/native/sparse/cuda/SparseCUDATensor.cu"),
    Wait(
        ("sparse_coo_tensor",),
        "reads the largest indices, because no size is given",
        "torch/csrc/utils/tensor_new.cpp",
        unless=("size",),
    ),
    Wait(
        (
            "sparse_csr_tensor",
            "sparse_csc_tensor",
            "sparse_bsr_tensor",
            "sparse_bsc_tensor",
            "sparse_compressed_tensor",
        ),
        "reads the largest index, because no size is given",
        "aten/src/ATen/native/sparse/SparseCsrTensor.cpp `_estimate_sparse_compressed_tensor_size`; " + OBSERVED,
        unless=("size",),
    ),
    Wait(
        ("to_sparse", "to_sparse_coo", "to_sparse_csr", "to_sparse_csc", "to_sparse_bsr", "to_sparse_bsc"),
        "counts the entries that are not zero",
        "aten/src/ATen/native/TensorConversions.cpp `dense_to_sparse`; " + OBSERVED,
    ),
    Wait(
        ("segment_reduce",),
        "looks at the lengths, or offsets, to check them",
        "aten/src/ATen/native/SegmentReduce.cpp; " + OBSERVED,
        unless=("unsafe",),
    ),
    Wait(
        ("unravel_index",),
        "copies the shape to the device, twice",
        "torch/functional.py `_unravel_index`; " + OBSERVED,
    ),
    Wait(
        ("isin",),
        "sorts and counts if there are many test elements",
        "aten/src/ATen/native/TensorCompare.cpp",
        unless=("assume_unique",),
    ),
    Wait(
        ("nested_tensor_from_jagged",),
        "reads the longest sequence",
        "torch/nested/_internal/nested_tensor.py",
        unless=("min_seqlen", "max_seqlen"),
    ),
)

OBJECT_COLLECTIVES = Wait(
    (
        "all_gather_object",
        "gather_object",
        "broadcast_object_list",
        "scatter_object_list",
        "send_object_list",
        "recv_object_list",
    ),
    "sends the pickled size and bytes through the host",
    "torch/distributed/distributed_c10d.py",
)

DETECTION = Wait(
    ("nms", "batched_nms", "remove_small_boxes", "masks_to_boxes"),
    "keeps a number of boxes that depends on the data",
    "torchvision 0.29 `csrc/ops/cuda/nms_kernel.cu`, `ops/boxes.py`",
)

SYNCHRONIZE = (
    Wait(
        ("synchronize",),
        "waits for all work queued on the device, the stream or before the event",
        "c10/cuda/CUDAFunctions.cpp",
    ),
    Wait(("empty_cache",), "waits and returns cached memory to the driver", "c10/cuda/CUDACachingAllocator.cpp"),
    Wait(
        ("barrier",),
        "waits for every process",
        "torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp",
        unless=("async_op",),
    ),
)

ROWS: dict[str, Wait] = {
    name: row
    for row in (*VALUE_READS, *SHAPES, *DATA_DEPENDENT, OBJECT_COLLECTIVES, DETECTION, *SYNCHRONIZE)
    for name in row.names
}
"""Last name of a function or method -> its row."""

COPIES = frozenset(("cpu", "to", "numpy", "type", "copy_", "cuda", "type_as", "new_tensor"))
"""Tensor methods that may copy between host and device, depending on their arguments."""

VALUES_READ: dict[str, tuple[str, ...]] = {
    "masked_fill": ("value",),
    "masked_fill_": ("value",),
    "index_fill": ("value",),
    "index_fill_": ("value",),
    "linspace": ("start", "end"),
    "logspace": ("start", "end"),
}
"""Functions with overloads that take a 0-dim tensor only to read it -> those arguments.

Source: `masked_fill__cuda(Tensor)`, `index_fill_(int, Tensor, Tensor)` and `linspace(Tensor, Scalar, …)` call `item`.
"""

WRITTEN_THROUGH_INDICES = frozenset(("index_put", "index_put_"))
"""Functions that write like `x[indices] = values`. Source: aten/src/ATen/native/TensorAdvancedIndexing.cpp."""

HOST_INDEXED = frozenset(("select", "narrow", "split", "index_select"))

OBSERVERS = frozenset(
    (
        "update",
        "forward",
        "compute",
        "log",
        "log_dict",
        "add_scalar",
        "add_scalars",
        "add_histogram",
        "set_postfix",
        "set_postfix_str",
        "set_description",
        "log_metrics",
        "where",
        "select",
        "narrow",
        "init_process_group",
        "DistributedDataParallel",
        "TrainingArguments",
        "Seq2SeqTrainingArguments",
    )
)
"""Last names of other calls that rules look at: of metrics, loggers and the like."""

TENSOR_MAKERS = frozenset(("tensor", "as_tensor", "asarray")) | frozenset(TENSOR_CLASSES)
"""Functions and classes that create a tensor from host data. Source: torch 2.13 `torch/csrc/utils/tensor_new.cpp`."""

WATCHED = (
    TENSOR_MAKERS
    | frozenset(ROWS)
    | COPIES
    | frozenset(VALUES_READ)
    | OBSERVERS
    | HOST_INDEXED
    | WRITTEN_THROUGH_INDICES
)
"""Last names of calls that are recorded as operations; all other calls only produce a value."""
