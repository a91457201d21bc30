"""Recurrent layers on the host, for cuDNN's layers and CUDA's fused cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch

from .gradients import gradients

_aten: Final = torch.ops.aten
_LSTM: Final = 2
_BY_MODE: Final = (_aten.rnn_relu, _aten.rnn_tanh, _aten.lstm, _aten.gru)


def _layers(
    source: Any, weight: list[Any], stride: int, hidden: Any, cell: Any, mode: int, layers: int, batch_first: bool,
    dropout: float, train: bool, both_ways: bool, batch_sizes: list[int],
) -> Any:  # fmt: skip
    """Output, hidden state and cell state of a whole layer, or of packed sequences if there are batch sizes."""
    state = [hidden, cell] if mode == _LSTM else hidden
    rest = (weight, stride >= 4, layers, dropout, train, both_ways)
    if batch_sizes:
        found = _BY_MODE[mode].data(source, torch.tensor(batch_sizes), state, *rest)
    else:
        found = _BY_MODE[mode].input(source, state, *rest, batch_first)
    return found if mode == _LSTM else (*found, hidden.new_empty(0))


def _rnn(
    source: Any, weight: list[Any], stride: int, flat: Any, hidden: Any, cell: Any, mode: int, size: int,
    projected: int, layers: int, batch_first: bool, dropout: float, train: bool, both_ways: bool,
    batch_sizes: list[int], _: Any,
) -> Any:  # fmt: skip
    reserve = torch.default_generator.get_state() if train and dropout else torch.empty(0, dtype=torch.uint8)
    found = _layers(
        source, weight, stride, hidden, cell, mode, layers, batch_first, dropout, train, both_ways, batch_sizes
    )
    return (*found, reserve, source.new_empty(0) if flat is None else flat)


def _rnn_backward(
    source: Any, weight: list[Any], stride: int, flat: Any, hidden: Any, cell: Any, output: Any, of_output: Any,
    of_hidden: Any, of_cell: Any, mode: int, size: int, projected: int, layers: int, batch_first: bool, dropout: float,
    train: bool, both_ways: bool, batch_sizes: list[int], _: Any, reserve: Any, mask: list[bool],
) -> Any:  # fmt: skip
    def forward(source: Any, hidden: Any, cell: Any, *weight: Any) -> Any:
        return _layers(
            source, list(weight), stride, hidden, cell, mode, layers, batch_first, dropout, train, both_ways,
            batch_sizes,
        )  # fmt: skip

    before = torch.default_generator.get_state()
    if reserve.numel():
        torch.default_generator.set_state(reserve.clone())
    try:
        found = gradients(forward, (source, hidden, cell, *weight), (of_output, of_hidden, of_cell))
    finally:
        torch.default_generator.set_state(before)
    return found[0], found[1], found[2], found[3:]


def _flat_weight(weight: list[Any], *_: object) -> Any:
    return torch.cat([each.reshape(-1) for each in weight])


def _lstm_cell(of_source: Any, of_hidden: Any, cell: Any, one: Any = None, other: Any = None) -> Any:
    gates = of_source + of_hidden + (0 if one is None else one + other)
    enter, forget, new, out = gates.chunk(4, 1)
    enter, forget, new, out = enter.sigmoid(), forget.sigmoid(), new.tanh(), out.sigmoid()
    after = forget * cell + enter * new
    return out * after.tanh(), after, torch.cat([enter, forget, new, out], 1)


def _lstm_cell_backward(of_hidden: Any, of_cell: Any, before: Any, after: Any, gates: Any, has_bias: bool) -> Any:
    enter, forget, new, out = gates.chunk(4, 1)
    of_hidden = torch.zeros_like(after) if of_hidden is None else of_hidden
    squashed = after.tanh()
    of_cell = of_hidden * out * (1 - squashed.square()) + (0 if of_cell is None else of_cell)
    found = torch.cat(
        [
            of_cell * new * enter * (1 - enter),
            of_cell * before * forget * (1 - forget),
            of_cell * enter * (1 - new.square()),
            of_hidden * squashed * out * (1 - out),
        ],
        1,
    )
    return found, of_cell * forget, found.sum(0) if has_bias else None


def _gru_cell(of_source: Any, of_hidden: Any, hidden: Any, one: Any = None, other: Any = None) -> Any:
    of_source = of_source if one is None else of_source + one
    of_hidden = of_hidden if other is None else of_hidden + other
    reset_in, keep_in, new_in = of_source.chunk(3, 1)
    reset_out, keep_out, new_out = of_hidden.chunk(3, 1)
    reset, keep = (reset_in + reset_out).sigmoid(), (keep_in + keep_out).sigmoid()
    new = (new_in + reset * new_out).tanh()
    return new + keep * (hidden - new), torch.cat([reset, keep, new, hidden, new_out], 1)


def _gru_cell_backward(of_hidden: Any, saved: Any, has_bias: bool) -> Any:
    reset, keep, new, hidden, new_out = saved.chunk(5, 1)
    of_keep = of_hidden * (hidden - new) * (1 - keep) * keep
    of_new = of_hidden * (1 - keep) * (1 - new.square())
    of_reset = of_new * new_out * (1 - reset) * reset
    of_source = torch.cat([of_reset, of_keep, of_new], 1)
    of_gates = torch.cat([of_reset, of_keep, of_new * reset], 1)
    sums = (of_source.sum(0), of_gates.sum(0)) if has_bias else (None, None)
    return of_source, of_gates, of_hidden * keep, *sums


WHOLE: Final[dict[str, Callable[..., Any]]] = {
    "aten::_cudnn_rnn": _rnn,
    "aten::_cudnn_rnn_backward": _rnn_backward,
    "aten::_cudnn_rnn_flatten_weight": _flat_weight,
    "aten::_cudnn_init_dropout_state": lambda *_, **__: torch.empty(0, dtype=torch.uint8),
}
INSTEAD: Final[dict[str, Callable[..., Any]]] = {
    "aten::_thnn_fused_lstm_cell": _lstm_cell,
    "aten::_thnn_fused_lstm_cell_backward_impl": _lstm_cell_backward,
    "aten::_thnn_fused_gru_cell": _gru_cell,
    "aten::_thnn_fused_gru_cell_backward": _gru_cell_backward,
}


def cast_layers(_: Any, source: Any, weight: list[Any], stride: int, flat: Any, *rest: Any) -> Any:
    """Cast what a layer is given, as `torch.autocast` does, which then asks cuDNN where weights are in its memory."""
    dtype = torch.get_autocast_dtype("cuda")

    def cast(value: Any) -> Any:
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            return value.to(dtype)
        return value

    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCUDA)):
        return _aten._cudnn_rnn(cast(source), [cast(each) for each in weight], stride, None, *map(cast, rest))
