"""Which rule of `waits` holds for which operator and function of torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from .waits import (
    Rule,
    always,
    never,
    unless_unsafe,
    waits_of_bincount,
    waits_of_bounds,
    waits_of_combinations,
    waits_of_compressed,
    waits_of_copies,
    waits_of_copy,
    waits_of_cross_entropy,
    waits_of_ctc,
    waits_of_eigvals,
    waits_of_equal,
    waits_of_histc,
    waits_of_index,
    waits_of_index_put,
    waits_of_isin,
    waits_of_mode,
    waits_of_normal,
    waits_of_one_hot,
    waits_of_pinv,
    waits_of_repeats,
    waits_of_sparse,
    waits_of_to_compressed,
    waits_of_to_sparse,
    waits_of_unique_consecutive,
    waits_of_where,
    when_asked_for_errors,
)

if TYPE_CHECKING:
    from ..observe import Kind

OPERATORS: Final[Mapping[str, Rule]] = {
    "aten::_local_scalar_dense": always("reads value", "self"),
    "aten::copy_": waits_of_copy,
    "aten::_foreach_copy_": waits_of_copies,
    "aten::equal": waits_of_equal,
    "aten::allclose": always("reads value", "self"),
    "aten::is_nonzero": always("reads value", "self"),
    "aten::index_fill.int_Tensor": always("reads value", "value"),
    "aten::index_fill_.int_Tensor": always("reads value", "value"),
    "aten::linspace.Tensor_Tensor": waits_of_bounds,
    "aten::linspace.Tensor_Scalar": waits_of_bounds,
    "aten::linspace.Scalar_Tensor": waits_of_bounds,
    "aten::logspace.Tensor_Tensor": waits_of_bounds,
    "aten::logspace.Tensor_Scalar": waits_of_bounds,
    "aten::logspace.Scalar_Tensor": waits_of_bounds,
    "aten::nonzero": always("data-dependent shape", "self"),
    "aten::masked_select": always("data-dependent shape", "self"),
    "aten::masked_scatter_backward": always("data-dependent shape", "grad_output"),
    "aten::index.Tensor": waits_of_index,
    "aten::_unsafe_index.Tensor": waits_of_index,
    "aten::index_put": waits_of_index_put,
    "aten::index_put_": waits_of_index_put,
    "aten::_index_put_impl_": waits_of_index_put,
    "aten::_unsafe_index_put": waits_of_index_put,
    "aten::masked_fill.Tensor": always("reads value", "value"),
    "aten::masked_fill_.Tensor": always("reads value", "value"),
    "aten::where.self": waits_of_where,
    "aten::repeat_interleave.Tensor": waits_of_repeats,
    "aten::bincount": waits_of_bincount,
    "aten::histc": waits_of_histc,
    "aten::_unique": always("data-dependent shape", "self"),
    "aten::_unique2": always("data-dependent shape", "self"),
    "aten::unique_dim": always("data-dependent shape", "self", 3),
    "aten::unique_consecutive": waits_of_unique_consecutive,
    "aten::unique_dim_consecutive": always("data-dependent shape", "self", 2),
    "aten::isin.Tensor_Tensor": waits_of_isin,
    "aten::searchsorted.Tensor": always("check", "sorter", 2),
    "aten::mode": waits_of_mode,
    "aten::normal.Tensor_Tensor": waits_of_normal,
    "aten::normal.float_Tensor": waits_of_normal,
    "aten::_linalg_check_errors": always("check", "info"),
    "aten::linalg_inv_ex": when_asked_for_errors("A"),
    "aten::linalg_cholesky_ex": when_asked_for_errors("self"),
    "aten::_linalg_solve_ex": when_asked_for_errors("A"),
    "aten::linalg_lu_factor_ex": when_asked_for_errors("A"),
    "aten::linalg_ldl_factor_ex": when_asked_for_errors("self"),
    "aten::cholesky": always("check", "self"),
    "aten::linalg_pinv.atol_rtol_tensor": waits_of_pinv,
    "aten::_linalg_eigh": always("check", "A"),
    "aten::_linalg_svd": always("check", "A", 2),
    "aten::linalg_eig": always("check", "self", 3),
    "aten::linalg_eigvals": always("check", "self", 2),
    "aten::_linalg_eigvals": always("check", "self", 2),
    "aten::linalg_lstsq": always("check", "self"),
    "aten::linalg_matrix_exp": always("data-dependent shape", "self"),
    "aten::_coalesce": always("data-dependent shape", "self", 5),
    "aten::_sparse_sparse_matmul": always("data-dependent shape", "self"),
    "aten::_sparse_softmax": always("data-dependent shape", "self"),
    "aten::_sparse_log_softmax": always("data-dependent shape", "self"),
    "aten::_sparse_sum_backward": always("data-dependent shape", "grad"),
    "aten::segment_reduce": unless_unsafe("lengths", 2),
    "aten::hspmm": always("data-dependent shape", "mat1"),
    "aten::_nested_tensor_from_mask_left_aligned": always("reads value", "t"),
    "aten::_nested_tensor_from_mask": always("copy to host", "t"),
    "torchvision::nms": always("data-dependent shape", "dets"),
}
"""Operators as the dispatcher calls them. A row without an overload's name holds for all overloads."""

FUNCTIONS: Final[Mapping[str, tuple[tuple[str, ...], Rule]]] = {
    "one_hot": (("self", "num_classes"), waits_of_one_hot),
    "cross_entropy_loss": (
        ("self", "target", "weight", "reduction", "ignore_index", "label_smoothing"),
        waits_of_cross_entropy,
    ),
    "sparse_coo_tensor": (("indices", "values", "size"), waits_of_sparse),
    **{
        f"sparse_{form}_tensor": (("compressed_indices", "plain_indices", "values", "size"), waits_of_compressed)
        for form in ("csr", "csc", "bsr", "bsc", "compressed")
    },
    "to_sparse": (("self", "sparse_dim"), waits_of_to_sparse),
    "to_sparse_coo": (("self",), waits_of_to_sparse),
    **{f"to_sparse_{form}": (("self",), waits_of_to_compressed) for form in ("csr", "csc", "bsr", "bsc")},
    "combinations": (("self", "r", "with_replacement"), waits_of_combinations),
    "ctc_loss": (("log_probs", "targets", "input_lengths", "target_lengths"), waits_of_ctc),
    "linalg_eigvals": (("A",), waits_of_eigvals),
    "quantile": ((), never),
    "nanquantile": ((), never),
}
"""Functions made of operators that differ between CPU and GPU, with the names of their arguments.

What they call on the CPU, such as a look at the range of the values, is not what they call on a GPU.
"""

BACKWARD: Final[Mapping[str, Kind]] = dict.fromkeys(
    ("prod", "cumprod", "cumprod_", "linalg_vander", "masked_fill", "masked_fill_"), "data-dependent shape"
)
"""Functions whose derivative looks for zeros, or selects by a mask, in ways that no Python mode sees."""
DERIVED: Final[Mapping[str, int]] = {"masked_fill": 2, "masked_fill_": 2}
"""Position of the argument, `value`, whose derivative it is; otherwise that of the first."""
