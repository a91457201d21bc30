"""What the CPU computes for operators that only CUDA has, or that a library of NVIDIA's does as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch

_aten: Final = torch.ops.aten

_Numbers = list[int]


def _convolution(
    input: Any, weight: Any, padding: _Numbers, stride: _Numbers, dilation: _Numbers, groups: int, *_: object
) -> Any:
    return _aten.convolution(input, weight, None, stride, padding, dilation, False, [0] * len(padding), groups)


def _convolution_transpose(
    input: Any, weight: Any, padding: _Numbers, more: _Numbers, stride: _Numbers, dilation: _Numbers, groups: int, *_: object
) -> Any:
    return _aten.convolution(input, weight, None, stride, padding, dilation, True, more, groups)


def _convolution_relu(
    input: Any, weight: Any, bias: Any, stride: _Numbers, padding: _Numbers, dilation: _Numbers, groups: int
) -> Any:
    return _aten.convolution(input, weight, bias, stride, padding, dilation, False, [0] * len(padding), groups).relu()


def _depthwise(
    input: Any, weight: Any, size: _Numbers, bias: Any, stride: _Numbers, padding: _Numbers, dilation: _Numbers
) -> Any:
    return _aten.convolution(input, weight, bias, stride, padding, dilation, False, [0] * len(padding), input.size(1))


def _batch_norm(input: Any, *rest: Any) -> Any:
    return (*_aten.native_batch_norm(input, *rest), input.new_empty(0, dtype=torch.uint8))


def _batch_norm_backward(
    input: Any, gradient: Any, weight: Any, mean: Any, variance: Any, saved: Any, inverse: Any, epsilon: float, _: object
) -> Any:
    return _aten.native_batch_norm_backward(
        gradient, input, weight, mean, variance, saved, inverse, True, epsilon, [True, True, True]
    )


WHOLE: Final[dict[str, Callable[..., Any] | None]] = {
    "aten::cudnn_convolution": _convolution,
    "aten::cudnn_convolution_transpose": _convolution_transpose,
    "aten::cudnn_convolution_relu": _convolution_relu,
    "aten::cudnn_batch_norm": _batch_norm,
    "aten::cudnn_batch_norm_backward": _batch_norm_backward,
    "aten::convolution_backward": None,
}
"""Operators that cuDNN does: the CUDA kernel is left out. None stands for the CPU's own kernel."""

INSTEAD: Final[dict[str, Callable[..., Any]]] = {
    "aten::_conv_depthwise2d": _depthwise,
    "aten::conv_depthwise3d": _depthwise,
}
"""Operators that the CPU does not have; the CUDA kernel runs, for what it decides."""
