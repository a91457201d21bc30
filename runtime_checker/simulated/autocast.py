"""A GPU's autocast, applied to tensors that torch itself treats as CPU tensors.

The lists are those of `ATen/autocast_mode.h`, under the names by which Python knows the functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import torch

from .device import on_device, tensors_in, words

LOWER: Final = words(
    """conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution _convolution prelu
    addmm addmv addr matmul rmatmul einsum mm mv linalg_vecdot linear addbmm baddbmm bmm chain_matmul linalg_multi_dot
    lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell lstm gru rnn_tanh rnn_relu scaled_dot_product_attention
    _scaled_dot_product_flash_attention"""
)
"""Functions that run in the lower precision."""
FULL: Final = words(
    """acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow rpow softplus layer_norm
    native_layer_norm rms_norm group_norm frobenius_norm nuclear_norm cosine_similarity poisson_nll_loss
    cosine_embedding_loss nll_loss nll_loss2d nll_loss_nd cross_entropy_loss hinge_embedding_loss kl_div l1_loss
    smooth_l1_loss huber_loss mse_loss margin_ranking_loss multilabel_margin_loss soft_margin_loss triplet_margin_loss
    multi_margin_loss binary_cross_entropy_with_logits dist pdist cdist renorm logsumexp upsample_nearest1d
    upsample_nearest2d upsample_nearest3d upsample_linear1d upsample_bilinear2d upsample_trilinear3d
    upsample_bicubic2d norm"""
)
"""Functions that run in float32."""
FULL_RESULT: Final = words("""prod softmax log_softmax cumprod cumsum linalg_vector_norm linalg_matrix_norm sum""")
"""Functions whose result is float32 unless another dtype is requested."""
WIDEST: Final = words("""addcdiv addcmul atan2 bilinear cross dot vdot grid_sampler index_put tensordot scatter_add""")
"""Functions that run in the widest type of their operands."""
BANNED: Final = (
    "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\n"
    "Many models use a sigmoid layer right before the binary cross entropy layer.\n"
    "In this case, combine the two layers using torch.nn.functional.binary_cross_entropy_with_logits\n"
    "or torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\n"
    "safe to autocast."
)


def cast(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """Return the arguments in the dtypes in which autocast runs the function."""
    if name in LOWER:
        return _all_cast(args, kwargs, torch.get_autocast_dtype("cuda"))
    if name in FULL:
        return _all_cast(args, kwargs, torch.float32)
    if name in FULL_RESULT:
        wants = args and eligible(args[0]) and kwargs.get("dtype") is None and not _has_type(args)
        return (args, {**kwargs, "dtype": torch.float32}) if wants else (args, kwargs)
    if name in WIDEST:
        full = any(tensor.dtype == torch.float32 for tensor in tensors_in(args, kwargs) if eligible(tensor))
        return _all_cast(args, kwargs, torch.float32) if full else (args, kwargs)
    if name == "binary_cross_entropy" and any(map(on_device, args)):
        raise RuntimeError(BANNED)
    return args, kwargs


def eligible(value: Any) -> bool:
    """Whether autocast changes the dtype of a value."""
    return on_device(value) and value.is_floating_point() and value.dtype != torch.float64


def _has_type(args: Sequence[Any]) -> bool:
    return any(isinstance(value, torch.dtype) for value in args)


def _all_cast(
    args: Sequence[Any], kwargs: Mapping[str, Any], dtype: torch.dtype
) -> tuple[Sequence[Any], Mapping[str, Any]]:
    return tuple(_one_cast(value, dtype) for value in args), _mapped(lambda value: _one_cast(value, dtype), kwargs)


def _mapped(change: Callable[[Any], Any], kwargs: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: change(value) for name, value in kwargs.items()} if kwargs else kwargs


def _one_cast(value: Any, dtype: torch.dtype) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(_one_cast(item, dtype) for item in value)
    return value.to(dtype) if eligible(value) and value.dtype != dtype else value
