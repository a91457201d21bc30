"""CPU substitutes for operators that only CUDA has, or that a library of NVIDIA's does as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch

from . import attention, recurrent
from .gradients import gradients

_aten: Final = torch.ops.aten

_Numbers = list[int]


def _convolution(
    source: Any, weight: Any, padding: _Numbers, stride: _Numbers, dilation: _Numbers, groups: int, *_: object
) -> Any:
    return _aten.convolution(source, weight, None, stride, padding, dilation, False, [0] * len(padding), groups)


def _convolution_transpose(
    source: Any,
    weight: Any,
    padding: _Numbers,
    more: _Numbers,
    stride: _Numbers,
    dilation: _Numbers,
    groups: int,
    *_: object,
) -> Any:
    return _aten.convolution(source, weight, None, stride, padding, dilation, True, more, groups)


def _convolution_relu(
    source: Any, weight: Any, bias: Any, stride: _Numbers, padding: _Numbers, dilation: _Numbers, groups: int
) -> Any:
    return _aten.convolution(source, weight, bias, stride, padding, dilation, False, [0] * len(padding), groups).relu()


def _depthwise(
    source: Any, weight: Any, size: _Numbers, bias: Any, stride: _Numbers, padding: _Numbers, dilation: _Numbers
) -> Any:
    return _aten.convolution(source, weight, bias, stride, padding, dilation, False, [0] * len(padding), source.size(1))


def _batch_norm(source: Any, *rest: Any) -> Any:
    return (*_aten.native_batch_norm(source, *rest), source.new_empty(0, dtype=torch.uint8))


def _batch_norm_backward(
    source: Any,
    gradient: Any,
    weight: Any,
    mean: Any,
    variance: Any,
    saved: Any,
    inverse: Any,
    epsilon: float,
    _: object,
) -> Any:
    return _aten.native_batch_norm_backward(
        gradient, source, weight, mean, variance, saved, inverse, True, epsilon, [True, True, True]
    )


def _ctc(scores: Any, targets: Any, lengths: Any, of_targets: Any, blank: int, _: bool, zero_infinity: bool) -> Any:
    # synclint: ignore[SYNC102] tensors of the host
    lengths, of_targets = (each if isinstance(each, list) else each.tolist() for each in (lengths, of_targets))
    scores, rest = scores.log_softmax(-1), (targets, lengths, of_targets)
    loss, alphas = _aten._ctc_loss(scores, *rest, blank, zero_infinity)
    return loss, _aten._ctc_loss_backward(torch.ones_like(loss), scores, *rest, loss, alphas, blank, zero_infinity)


def _channels(source: Any) -> list[int]:
    return [dim for dim in range(source.dim()) if dim != 1]


def _along(source: Any, values: Any) -> Any:
    return values.reshape(1, -1, *[1] * (source.dim() - 2))


def _statistics(source: Any, epsilon: float) -> Any:
    values = source.float()
    return values.mean(_channels(source)), (values.var(_channels(source), unbiased=False) + epsilon).rsqrt()


def _normalized(source: Any, weight: Any, bias: Any, mean: Any, inverse: Any, _: float) -> Any:
    result = (source.float() - _along(source, mean)) * _along(source, inverse)
    result = result if weight is None else result * _along(source, weight)
    return (result if bias is None else result + _along(source, bias)).to(source.dtype)


def _gathered(
    source: Any, means: Any, inverses: Any, mean: Any, variance: Any, momentum: float, epsilon: float, counts: Any
) -> Any:
    counts = counts.reshape(-1, 1).float()
    total = counts.sum()
    found = (means * counts).sum(0) / total
    spread = ((inverses.reciprocal().square() - epsilon + (means - found).square()) * counts).sum(0)
    if mean is not None:
        mean.mul_(1 - momentum).add_(found, alpha=momentum)
        variance.mul_(1 - momentum).add_(spread / (total - 1), alpha=momentum)
    return found, (spread / total + epsilon).rsqrt()


def _reduced(gradient: Any, source: Any, mean: Any, inverse: Any, weight: Any, *wanted: bool) -> Any:
    gradient, dims = gradient.float(), _channels(source)
    total, moment = gradient.sum(dims), (gradient * (source.float() - _along(source, mean))).sum(dims)
    return total, moment, moment * inverse, total.clone()


def _of_normalized(
    gradient: Any, source: Any, mean: Any, inverse: Any, weight: Any, total: Any, moment: Any, counts: Any
) -> Any:
    count = counts.sum().float()
    scale = inverse if weight is None else inverse * weight
    centred = source.float() - _along(source, mean)
    slope = _along(source, inverse.square() * moment / count)
    found = gradient.float() - _along(source, total / count) - centred * slope
    return (found * _along(source, scale)).to(source.dtype)


def _dropout(source: Any, keep: float, generator: Any = None) -> Any:
    mask = torch.empty_like(source).bernoulli_(keep)
    return source * mask / keep, mask.byte()


def _rms_norm_backward(gradient: Any, source: Any, shape: list[int], _: Any, weight: Any, mask: list[bool]) -> Any:
    def forward(source: Any, weight: Any) -> Any:
        return torch.nn.functional.rms_norm(source, shape, weight)

    return tuple(gradients(forward, (source, weight), (gradient,)))


def _product(one: Any, other: Any, dtype: torch.dtype, *, out: Any = None) -> Any:
    return _into(out, one.to(dtype) @ other.to(dtype))


def _sum(
    source: Any, one: Any, other: Any, dtype: torch.dtype, *, beta: float = 1, alpha: float = 1, out: Any = None
) -> Any:
    product = one.to(dtype) @ other.to(dtype) * alpha
    return _into(out, product + source.to(dtype) * beta if beta else product)


def _into(out: Any, found: Any) -> Any:
    return found if out is None else out.resize_(found.size()).copy_(found)


def _grid_sampler_backward(source: Any, grid: Any, gradient: Any) -> Any:
    return _aten.grid_sampler_2d_backward(gradient, source, grid, 0, 0, True, [True, True])


def _convolution_add_relu(
    source: Any, weight: Any, other: Any, alpha: Any, bias: Any, stride: _Numbers, padding: _Numbers,
    dilation: _Numbers, groups: int,
) -> Any:  # fmt: skip
    found = _aten.convolution(source, weight, bias, stride, padding, dilation, False, [0] * len(padding), groups)
    return (found + other * (1 if alpha is None else alpha)).relu()


WHOLE: Final[dict[str, Callable[..., Any] | None]] = {
    "aten::cudnn_convolution": _convolution,
    "aten::cudnn_convolution_transpose": _convolution_transpose,
    "aten::cudnn_convolution_relu": _convolution_relu,
    "aten::cudnn_batch_norm": _batch_norm,
    "aten::cudnn_batch_norm_backward": _batch_norm_backward,
    "aten::convolution_backward": None,
    "aten::_cudnn_ctc_loss": _ctc,
    "aten::_cudnn_ctc_loss.Tensor": _ctc,
    "aten::cudnn_convolution_add_relu": _convolution_add_relu,
    "aten::cudnn_grid_sampler_backward": _grid_sampler_backward,
    "aten::cudnn_grid_sampler": lambda source, grid: _aten.grid_sampler_2d(source, grid, 0, 0, True),
    **attention.WHOLE,
    **recurrent.WHOLE,
}
"""Operators that a library of NVIDIA's does: the CUDA kernel is left out. None stands for the CPU's own kernel."""

INSTEAD: Final[dict[str, Callable[..., Any]]] = {
    "aten::_conv_depthwise2d": _depthwise,
    "aten::conv_depthwise3d": _depthwise,
    "aten::batch_norm_stats": _statistics,
    "aten::batch_norm_elemt": _normalized,
    "aten::batch_norm_gather_stats_with_counts": _gathered,
    "aten::batch_norm_backward_reduce": _reduced,
    "aten::batch_norm_backward_elemt": _of_normalized,
    "aten::_fused_dropout": _dropout,
    "aten::_masked_scale": lambda source, mask, scale: source * mask * scale,
    "aten::_fused_rms_norm_backward": _rms_norm_backward,
    **dict.fromkeys(("aten::mm.dtype", "aten::mm.dtype_out", "aten::bmm.dtype", "aten::bmm.dtype_out"), _product),
    **dict.fromkeys((f"aten::{name}.{out}" for name in ("addmm", "baddbmm") for out in ("dtype", "dtype_out")), _sum),
    **attention.INSTEAD,
    **recurrent.INSTEAD,
}
"""Operators that the CPU does not have; the CUDA kernel runs, for what it decides."""
