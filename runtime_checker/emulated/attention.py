"""Attention on the host, for the fused kernels that only CUDA has."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

import torch

from .gradients import gradients

_MOST_STATES: Final = 4096
_states: OrderedDict[int, torch.Tensor] = OrderedDict()
"""The generator's state before the dropout of each forward, by the number that stands for its seed."""


def _remember(dropout: float) -> torch.Tensor:
    """Return what the kernel calls its seed: by it, backward finds the same dropout again."""
    number = next(reversed(_states), 0) + 1
    if dropout > 0:
        _states[number] = torch.default_generator.get_state()
        if len(_states) > _MOST_STATES:
            _states.popitem(last=False)
    return torch.tensor(number)


def _attend(query: Any, key: Any, value: Any, bias: Any, dropout: float, is_causal: bool, scale: float | None) -> Any:
    """Results and logarithms of sums of (batch, head, sequence, feature), computed with at least single precision."""
    dtype = torch.promote_types(query.dtype, torch.float32)
    query, key, value = (each.to(dtype) for each in (query, key, value))
    if (groups := query.size(1) // max(key.size(1), 1)) > 1:
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scores = query @ key.transpose(-2, -1) * (1 / math.sqrt(max(query.size(-1), 1)) if scale is None else scale)
    if bias is not None:
        scores = scores + bias
    if is_causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).tril().logical_not(), -math.inf)
    weights = torch.nan_to_num(scores.softmax(-1))
    return torch.dropout(weights, dropout, dropout > 0) @ value, scores.logsumexp(-1)


def _forward(query: Any, key: Any, value: Any, bias: Any, dropout: float, is_causal: bool, scale: float | None) -> Any:
    seed = _remember(dropout)
    result, sums = _attend(query, key, value, bias, dropout, is_causal, scale)
    return result.to(query.dtype), sums.float(), seed


def _backward(
    gradient: Any,
    query: Any,
    key: Any,
    value: Any,
    bias: Any,
    seed: Any,
    dropout: float,
    is_causal: bool,
    scale: float | None,
) -> list[Any]:
    def forward(query: Any, key: Any, value: Any, bias: Any) -> Any:
        return _attend(query, key, value, bias, dropout, is_causal, scale)[0].to(gradient.dtype)

    before = torch.default_generator.get_state()
    if (
        dropout > 0 and (state := _states.get(int(seed.flatten()[0]))) is not None
    ):  # synclint: ignore[SYNC105] a tensor of the host
        torch.default_generator.set_state(state)
    try:
        return gradients(forward, (query, key, value, bias), (gradient,))
    finally:
        torch.default_generator.set_state(before)


def _efficient(
    query: Any, key: Any, value: Any, bias: Any, compute_sums: bool, dropout: float = 0.0, is_causal: bool = False,
    *, scale: float | None = None,
) -> Any:  # fmt: skip
    result, sums, seed = _forward(query, key, value, bias, dropout, is_causal, scale)
    length = math.ceil(query.size(2) / 32) * 32 if compute_sums else 0
    padded = torch.full((*sums.shape[:2], length), math.inf)
    padded[..., : query.size(2)] = sums if compute_sums else 0
    return result, padded, seed, torch.tensor(0)


def _efficient_backward(
    gradient: Any, query: Any, key: Any, value: Any, bias: Any, out: Any, sums: Any, seed: Any, offset: Any,
    dropout: float, mask: list[bool], is_causal: bool = False, *, scale: float | None = None,
) -> Any:  # fmt: skip
    bias = bias if bias is not None and bias.numel() else None
    found = _backward(gradient, query, key, value, bias, seed, dropout, is_causal, scale)
    return tuple(each if is_wanted else None for each, is_wanted in zip(found, mask))


def _flash(
    query: Any, key: Any, value: Any, dropout: float = 0.0, is_causal: bool = False, debug: bool = False,
    *, scale: float | None = None,
) -> Any:  # fmt: skip
    result, sums, seed = _forward(query, key, value, None, dropout, is_causal, scale)
    state = torch.stack([seed, torch.zeros_like(seed)]).view(torch.uint64)
    return result, sums, None, None, query.size(2), key.size(2), state, None, None


def _flash_backward(
    gradient: Any, query: Any, key: Any, value: Any, out: Any, sums: Any, starts: Any, others: Any, most: int,
    most_other: int, dropout: float, is_causal: bool, state: Any, unused: Any, *, scale: float | None = None,
) -> Any:  # fmt: skip
    seed = state.view(torch.int64) if state.dtype == torch.uint64 else state
    return tuple(_backward(gradient, query, key, value, None, seed, dropout, is_causal, scale)[:3])


def _cudnn(
    query: Any, key: Any, value: Any, bias: Any, compute_sums: bool, dropout: float = 0.0, is_causal: bool = False,
    debug: bool = False, *, scale: float | None = None,
) -> Any:  # fmt: skip
    result, sums, seed = _forward(query, key, value, bias, dropout, is_causal, scale)
    return result, sums[..., None], None, None, query.size(2), key.size(2), seed, torch.tensor(0), None


def _cudnn_backward(
    gradient: Any, query: Any, key: Any, value: Any, out: Any, sums: Any, seed: Any, offset: Any, bias: Any,
    starts: Any, others: Any, most: int, most_other: int, dropout: float, is_causal: bool,
    *, scale: float | None = None,
) -> Any:  # fmt: skip
    bias = bias if bias is not None and bias.numel() else None
    return tuple(_backward(gradient, query, key, value, bias, seed, dropout, is_causal, scale)[:3])


WHOLE: Final[dict[str, Callable[..., Any]]] = {
    "aten::_scaled_dot_product_cudnn_attention": _cudnn,
    "aten::_scaled_dot_product_cudnn_attention_backward": _cudnn_backward,
}
INSTEAD: Final[dict[str, Callable[..., Any]]] = {
    "aten::_scaled_dot_product_efficient_attention": _efficient,
    "aten::_scaled_dot_product_efficient_attention_backward": _efficient_backward,
    "aten::_scaled_dot_product_flash_attention": _flash,
    "aten::_scaled_dot_product_flash_attention_backward": _flash_backward,
}
DECIDE_ONLY: Final = frozenset(
    f"aten::_{kind}_attention_{direction}"
    for kind in ("flash", "efficient", "cudnn")
    for direction in ("forward", "backward")
)
"""Operators that these call themselves: the values are made outside."""
