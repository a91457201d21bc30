"""What each GPU operator makes the host wait for, depending on its arguments.

Taken from torch's sources (`aten/src/ATen/native/cuda`), its `test_sync_warning` and the calls that its CUDA libraries
make; it does not use the linter's facts. A rule is a function of a `Situation` that returns one kind per wait. Pure: it
only looks at the shapes and dtypes of arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from ..observe import Kind

Version: TypeAlias = tuple[int, int]
SORTING_ISIN: Final = (10.0, 0.145)
"""`isin` sorts from here on: for at least the first number times the size to the power of the second."""
LONGEST_FUSED_MODE: Final = 2048
"""A single kernel finds the mode of slices no longer than this."""


def version_of(text: str) -> Version:
    """Return the first two numbers of a version: of `2.13.0+cpu`, (2, 13)."""
    match = re.match(r"(\d+)\.(\d+)", text)
    return (int(match[1]), int(match[2])) if match else (0, 0)


@dataclass(frozen=True, slots=True)
class Situation:
    """An operator about to run: its arguments by name, where they are, and the version of torch to model.

    `number` says that a Python number is written into a tensor.
    """

    values: Mapping[str, Any]
    on: Callable[[Any], bool]
    pinned: Callable[[Any], bool]
    version: Version
    number: bool = False

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name)

    def is_tensor(self, name: str) -> bool:
        """Whether an argument is a tensor."""
        return hasattr(self[name], "storage_offset")

    def on_device(self, name: str) -> bool:
        """Whether an argument is on the device."""
        return self.on(self[name])


Rule: TypeAlias = Callable[[Situation], "Sequence[Kind]"]


def _always(kind: Kind, argument: str, count: int = 1) -> Rule:
    """Return a rule that waits whenever the argument is on the device."""
    return lambda it: [kind] * count if it.on_device(argument) else ()


def _asks_for_errors(argument: str) -> Rule:
    """Return a rule for a factorization that checks for errors only on request."""
    return lambda it: ["check"] if it["check_errors"] and it.on_device(argument) else ()


def _is_mask(tensor: Any) -> bool:
    return str(tensor.dtype) in ("torch.bool", "torch.uint8")


def _crosses(target: Any, source: Any, it: Situation, non_blocking: bool) -> Sequence[Kind]:
    """Return what a copy between host and device waits for; the driver stages pageable memory, which waits."""
    there, here = it.on(target), it.on(source)
    if there == here or source.numel() == 0:
        return ()
    if non_blocking and it.pinned(source if there else target):
        return ()
    return ["copy to device" if there else "copy to host"]


def _copy(it: Situation) -> Sequence[Kind]:
    target, source = it["self"], it["src"]
    if it.number and it.version >= (2, 15) and target.dim() == 0 and not it.on(source):
        return ()
    return _crosses(target, source, it, bool(it["non_blocking"]))


def _copies(it: Situation) -> Sequence[Kind]:
    pairs = zip(it["self"], it["src"], strict=False)
    return [kind for target, source in pairs for kind in _crosses(target, source, it, bool(it["non_blocking"]))]


def _index(it: Situation) -> Sequence[Kind]:
    if not it.on_device("self"):
        return ()
    return [kind for index in it["indices"] if index is not None for kind in _one_index(index, it)]


def _one_index(index: Any, it: Situation) -> Sequence[Kind]:
    if it.on(index):
        return ["data-dependent shape"] if _is_mask(index) else ()
    if _is_mask(index) and it.version >= (2, 9):
        return ()  # counted on the host, then copied from pinned memory
    return ["copy to device"] if index.numel() else ()


def _index_put(it: Situation) -> Sequence[Kind]:
    values = it["values"]
    if not it.on_device("self") or _fills_a_mask(it):
        return ()
    waits = list(_index(it))
    if it.on(values) or not values.numel():
        return waits
    masks_of_host = all(index is None or (_is_mask(index) and not it.on(index)) for index in it["indices"])
    if it.number and it.version >= (2, 15) and (masks_of_host or _is_one_index(it["indices"])):
        return waits
    return [*waits, "copy to device"]


def _is_one_index(indices: Sequence[Any]) -> bool:
    return sum(index is not None for index in indices) == 1


def _fills_a_mask(it: Situation) -> bool:
    """Whether the fast path applies: one mask on the tensor's device, and a zero-dimensional CPU value."""
    given = [index for index in it["indices"] if index is not None]
    value = it["values"]
    if it["accumulate"] or it.on(value) or value.numel() != 1 or len(given) != 1:
        return False
    return _is_mask(given[0]) and it.on(given[0])


def _where(it: Situation) -> Sequence[Kind]:
    hosts = [name for name in ("self", "other") if it.is_tensor(name) and not it.on_device(name)]
    return ["copy to device"] * len(hosts) if it.on_device("condition") else ()


def _repeats(it: Situation) -> Sequence[Kind]:
    return ["data-dependent shape"] if it.on_device("repeats") and it["output_size"] is None else ()


def _bincount(it: Situation) -> Sequence[Kind]:
    if not it.on_device("self") or not it["self"].numel():
        return ()
    smallest: list[Kind] = [] if str(it["self"].dtype) == "torch.uint8" else ["check"]
    return [*smallest, "data-dependent shape"]


def _histc(it: Situation) -> Sequence[Kind]:
    same_bounds = (it["min"] or 0) == (it["max"] or 0)
    return ["reads value"] * 2 if it.on_device("self") and same_bounds else ()


def _equal(it: Situation) -> Sequence[Kind]:
    return ["reads value"] if it.on_device("self") and it["self"].shape == it["other"].shape else ()


def _bounds(it: Situation) -> Sequence[Kind]:
    return ["reads value"] * sum(it.on_device(name) for name in ("start", "end"))


def _isin(it: Situation) -> Sequence[Kind]:
    elements, wanted = it["elements"], it["test_elements"]
    factor, power = SORTING_ISIN
    sorts = elements.numel() and wanted.numel() >= factor * elements.numel() ** power
    return ["data-dependent shape"] if it.on_device("elements") and sorts and not it["assume_unique"] else ()


def _mode(it: Situation) -> Sequence[Kind]:
    tensor, dim = it["self"], -1 if it["dim"] is None else it["dim"]
    long = tensor.dim() and tensor.shape[dim] > LONGEST_FUSED_MODE
    return ["reads value"] if it.on_device("self") and long else ()


def _normal(it: Situation) -> Sequence[Kind]:
    return ["check"] if it.on_device("std") and it.version < (2, 14) else ()


def _one_hot(it: Situation) -> Sequence[Kind]:
    unknown = it["num_classes"] is None or it["num_classes"] == -1
    return ["data-dependent shape"] if it.on_device("self") and unknown else ()


def _cross_entropy(it: Situation) -> Sequence[Kind]:
    mean = it["reduction"] in (None, 1)
    smooth = (it["label_smoothing"] or 0) > 0 and it.is_tensor("weight") and not it["target"].is_floating_point()
    return ["data-dependent shape"] if it.on_device("self") and smooth and mean else ()


def _ctc(it: Situation) -> Sequence[Kind]:
    if not it.on_device("log_probs"):
        return ()
    lengths = [name for name in ("input_lengths", "target_lengths") if it.on_device(name)]
    to_host: list[Kind] = ["copy to host"] * len(lengths)
    return [*to_host, "copy to device"]


def _sparse(it: Situation) -> Sequence[Kind]:
    sized = it["size"] is not None
    return () if sized or not it.on_device("indices") else ["data-dependent shape"] * 2


def _combinations(it: Situation) -> Sequence[Kind]:
    chosen = 2 if it["r"] is None else it["r"]
    return ["data-dependent shape"] if it.on_device("self") and it.version < (2, 14) and chosen else ()


def _nothing(_: Situation) -> Sequence[Kind]:
    return ()


OPERATORS: Final[Mapping[str, Rule]] = {
    "aten::_local_scalar_dense": _always("reads value", "self"),
    "aten::copy_": _copy,
    "aten::_foreach_copy_": _copies,
    "aten::equal": _equal,
    "aten::allclose": _always("reads value", "self"),
    "aten::is_nonzero": _always("reads value", "self"),
    "aten::index_fill.int_Tensor": _always("reads value", "value"),
    "aten::index_fill_.int_Tensor": _always("reads value", "value"),
    "aten::linspace.Tensor_Tensor": _bounds,
    "aten::linspace.Tensor_Scalar": _bounds,
    "aten::linspace.Scalar_Tensor": _bounds,
    "aten::logspace.Tensor_Tensor": _bounds,
    "aten::logspace.Tensor_Scalar": _bounds,
    "aten::logspace.Scalar_Tensor": _bounds,
    "aten::nonzero": _always("data-dependent shape", "self"),
    "aten::masked_select": _always("data-dependent shape", "self"),
    "aten::masked_scatter_backward": _always("data-dependent shape", "grad_output"),
    "aten::index.Tensor": _index,
    "aten::_unsafe_index.Tensor": _index,
    "aten::index_put": _index_put,
    "aten::index_put_": _index_put,
    "aten::_index_put_impl_": _index_put,
    "aten::_unsafe_index_put": _index_put,
    "aten::masked_fill.Tensor": _always("reads value", "value"),
    "aten::masked_fill_.Tensor": _always("reads value", "value"),
    "aten::where.self": _where,
    "aten::repeat_interleave.Tensor": _repeats,
    "aten::bincount": _bincount,
    "aten::histc": _histc,
    "aten::_unique": _always("data-dependent shape", "self"),
    "aten::_unique2": _always("data-dependent shape", "self"),
    "aten::unique_dim": _always("data-dependent shape", "self"),
    "aten::unique_consecutive": _always("data-dependent shape", "self"),
    "aten::unique_dim_consecutive": _always("data-dependent shape", "self"),
    "aten::isin.Tensor_Tensor": _isin,
    "aten::searchsorted.Tensor": _always("check", "sorter", 2),
    "aten::mode": _mode,
    "aten::normal.Tensor_Tensor": _normal,
    "aten::normal.float_Tensor": _normal,
    "aten::_linalg_check_errors": _always("check", "info"),
    "aten::linalg_inv_ex": _asks_for_errors("A"),
    "aten::linalg_cholesky_ex": _asks_for_errors("self"),
    "aten::_linalg_solve_ex": _asks_for_errors("A"),
    "aten::linalg_lu_factor_ex": _asks_for_errors("A"),
    "aten::linalg_ldl_factor_ex": _asks_for_errors("self"),
    "aten::cholesky": _always("check", "self"),
    "aten::linalg_pinv.atol_rtol_tensor": _always("check", "self"),
    "aten::_linalg_eigh": _always("check", "A"),
    "aten::_linalg_svd": _always("check", "A"),
    "aten::linalg_eig": _always("check", "self"),
    "aten::linalg_eigvals": _always("check", "self"),
    "aten::_linalg_eigvals": _always("check", "self"),
    "aten::linalg_lstsq": _always("check", "self"),
    "aten::linalg_matrix_exp": _always("data-dependent shape", "self"),
    "aten::_coalesce": _always("data-dependent shape", "self"),
    "aten::_sparse_sparse_matmul": _always("data-dependent shape", "self"),
    "aten::_sparse_softmax": _always("data-dependent shape", "self"),
    "aten::_sparse_log_softmax": _always("data-dependent shape", "self"),
    "aten::_sparse_sum_backward": _always("data-dependent shape", "grad"),
    "aten::hspmm": _always("data-dependent shape", "mat1"),
    "aten::_nested_tensor_from_mask_left_aligned": _always("reads value", "t"),
    "aten::_nested_tensor_from_mask": _always("copy to host", "t"),
    "torchvision::nms": _always("data-dependent shape", "dets"),
}
"""Operators as named by the dispatcher; a row without an overload name holds for all overloads."""

FUNCTIONS: Final[Mapping[str, tuple[tuple[str, ...], Rule]]] = {
    "one_hot": (("self", "num_classes"), _one_hot),
    "cross_entropy_loss": (
        ("self", "target", "weight", "reduction", "ignore_index", "label_smoothing"),
        _cross_entropy,
    ),
    "sparse_coo_tensor": (("indices", "values", "size"), _sparse),
    "combinations": (("self", "r", "with_replacement"), _combinations),
    "ctc_loss": (("log_probs", "targets", "input_lengths", "target_lengths"), _ctc),
    "quantile": ((), _nothing),
    "nanquantile": ((), _nothing),
}
"""Functions composed of operators that differ between CPU and GPU, with the names of their arguments.

What they call on the CPU, such as a check of the values' range, is not what they call on a GPU.
"""

BACKWARD: Final[Mapping[str, Kind]] = {"prod": "data-dependent shape", "cumprod": "data-dependent shape"}
"""Functions whose derivative looks for zeros, which takes another path while a Python mode is active."""
