"""Functions and methods of torch that make the host wait: when, in which versions, and how we know.

Sources: the call graphs of the official CUDA wheels 2.5–2.15, the files they ship, and `test_sync_warning` in PyTorch's
own `test/test_torch.py`. A name stands for both the function (`torch.unique`) and the method (`torch.Tensor.unique`);
`since`/`until` are the torch versions with the wait (until is the first without it).
"""

from __future__ import annotations

from typing import NamedTuple

from .dtypes import TENSOR_CLASSES

EVERYTHING = "*"
"""Stands for all arguments of a call in `Wait.reads`."""

OBSERVED = "observed in torch's CUDA code 2.15.0+cu132, emulated"
"""How rows are known that running torch's own code has brought to light."""


class Wait(NamedTuple):
    """One row; `unless` are arguments that remove the wait, `needs` arguments without which there is none.

    `reads` are the arguments that are waited for, by the names of their parameters; `input` is also what a method is
    called on. If it is empty, that is what the call works on: the receiver, or else the first argument.
    """

    names: tuple[str, ...]
    because: str
    source: str
    unless: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    reads: tuple[str, ...] = ()


VALUE_READS = (
    Wait(
        ("item",), "reads one value to the host", "aten/src/ATen/native/cuda/CUDAScalar.cu `_local_scalar_dense_cuda`"
    ),
    Wait(("tolist",), "copies every value to the host", "torch/csrc/utils/tensor_list.cpp"),
    Wait(("is_nonzero",), "reads one value to the host", "aten/src/ATen/native/TensorProperties.cpp"),
    Wait(
        ("equal",),
        "compares on the device and reads the result",
        "aten/src/ATen/native/cuda/Equal.cpp",
        reads=("input", "other"),
    ),
    Wait(
        ("allclose",),
        "compares on the device and reads the result",
        "aten/src/ATen/native/TensorCompare.cpp",
        reads=("input", "other"),
    ),
    Wait(
        ("assert_close",),
        "compares on the device and reads the result, several times",
        "torch/testing/_comparison.py",
        reads=("actual", "expected"),
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
        reads=("input", "mask"),
    ),
    Wait(
        ("repeat_interleave",),
        "sums the repeats before it can size the result",
        "aten/src/ATen/native/cuda/Repeat.cu",
        unless=("output_size",),
        reads=("repeats",),
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
        reads=("sorter",),
    ),
    Wait(("combinations",), "selects with a mask", "aten/src/ATen/native/Itertools.cpp", until="2.14"),
    Wait(
        ("normal",),
        "checks that no `std` is negative",
        "aten/src/ATen/native/cuda/Distributions.cpp",
        until="2.14",
        reads=("std",),
    ),
    Wait(
        ("sample",),
        "for a normal distribution checks that no `scale` is negative",
        "torch/distributions/normal.py",
        until="2.14",
    ),
    Wait(("cov", "corrcoef"), "checks the degrees of freedom on the host", "aten/src/ATen/native/Correlation.cpp"),
    Wait(("istft",), "checks the overlap of the windows on the host", "aten/src/ATen/native/SpectralOps.cpp"),
    Wait(("ldl_factor_ex",), "waits within cuSOLVER", "the profiler on an NVIDIA H200, torch 2.11, CUDA 13.0"),
    Wait(("coalesce",), "counts the distinct indices", "aten/src/ATen/native/sparse/cuda/SparseCUDATensor.cu"),
    Wait(
        ("sparse_coo_tensor",),
        "reads the largest indices, because no size is given",
        "torch/csrc/utils/tensor_new.cpp",
        unless=("size",),
        reads=(EVERYTHING,),
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
        reads=(EVERYTHING,),
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
        reads=(EVERYTHING,),
    ),
)

MASKED_FILL = Wait(
    ("masked_fill", "masked_fill_"),
    "reads a fill value that is a 0-dim tensor",
    "aten/src/ATen/native/cuda/Indexing.cu `masked_fill__cuda(Tensor)` calls `item`",
    reads=("value",),
)

NUMBERS_READ = (
    Wait(
        ("index_fill", "index_fill_"),
        "reads a fill value that is a 0-dim tensor",
        "`index_fill_(int, Tensor, Tensor)` calls `item`",
        reads=("value",),
    ),
    Wait(
        ("linspace", "logspace"),
        "reads a bound that is a 0-dim tensor",
        "`linspace(Tensor, Scalar, …)` calls `item`",
        reads=("start", "end"),
    ),
)
"""Functions with overloads that take a 0-dim tensor only to read it."""

INDICES_READ = (
    Wait(
        ("select",),
        "reads an index that is a 0-dim tensor",
        "torch/csrc/utils/python_arg_parser.h `PythonArgs::toInt64`",
        reads=("index",),
    ),
    Wait(
        ("narrow",),
        "reads a start that is a 0-dim tensor",
        "aten/src/ATen/native/TensorShape.cpp `narrow_tensor_symint` calls `item`",
        reads=("start",),
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
    ("nms", "batched_nms", "remove_small_boxes"),
    "keeps a number of boxes that depends on the data",
    "torchvision 0.29 `csrc/ops/cuda/nms_kernel.cu`, `ops/boxes.py`",
)

MASKS = Wait(
    ("masks_to_boxes",),
    "looks for the entries of each mask",
    "torchvision 0.25 `ops/boxes.py`: `torch.where`, which 0.26, of torch 2.11, does without",
    until="2.11",
)

IMAGES = Wait(
    ("make_grid", "save_image"),
    "reads the smallest and the largest value, because no `value_range` is given",
    "torchvision 0.29 `utils.py`: `float(t.min())`, `float(t.max())`; `save_image` hands its options on",
    unless=("value_range", "range"),
    needs=("normalize",),
)

SAVES_IMAGE = "torchvision.utils.save_image"
"""What copies a tensor to the host to write it. Source: torchvision 0.29 `utils.py`: `.to("cpu", torch.uint8)`."""

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
    for rows in (VALUE_READS, SHAPES, DATA_DEPENDENT, NUMBERS_READ, INDICES_READ, SYNCHRONIZE)
    for row in (*rows, MASKED_FILL, OBJECT_COLLECTIVES, DETECTION, MASKS, IMAGES)
    for name in row.names
}
"""Last name of a function or method -> its row."""

COPIES = frozenset(("cpu", "to", "numpy", "type", "copy_", "cuda", "type_as", "new_tensor"))
"""Tensor methods that may copy between host and device, depending on their arguments."""

WRITTEN_THROUGH_INDICES = frozenset(("index_put", "index_put_"))
"""Functions that write like `x[indices] = values`. Source: aten/src/ATen/native/TensorAdvancedIndexing.cpp."""

TENSOR_MAKERS = frozenset(("tensor", "as_tensor", "asarray")) | frozenset(TENSOR_CLASSES)
"""Functions and classes that create a tensor from host data. Source: torch 2.13 `torch/csrc/utils/tensor_new.cpp`."""
