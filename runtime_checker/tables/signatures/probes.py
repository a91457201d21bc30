"""Calls functions on tiny CPU tensors to learn the rule of their results: dtype and number of dimensions.

Stubs and schemas tell neither. Arguments are guessed from the kinds and names of the required parameters; a call that
fails teaches nothing. If no call succeeds, the rule stays `any`.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from .sources import Item, Overload

# Vendor-specific and quantization kernels trust their arguments: a wrong guess can crash the process.
_UNSAFE = ("cudnn", "miopen", "mkldnn", "fbgemm", "quantize", "from_file", "q_", "fused_moving", "int_repr",
           "set_", "init_", "to_mkldnn", "to_sparse", "to_padded", "smm", "sspmm", "grouped_mm", "scaled_",
           "embedding_bag", "_")  # fmt: skip

_Shape = tuple[int, ...]
_SHAPES: tuple[_Shape, ...] = (
    (), (1,), (4,), (1, 1), (4, 4), (1, 4, 4), (4, 4, 4), (1, 4, 4, 4), (1, 4, 4, 4, 4),
)  # fmt: skip
_MIXED: tuple[tuple[_Shape, _Shape], ...] = (
    ((4,), ()), ((), (4,)), ((4, 4), (4,)), ((4,), (4, 4)), ((4, 4, 4), (4, 4)),
)  # fmt: skip
_FIRST_DTYPES = (torch.float32, torch.int64, torch.bool)
_DTYPES = (torch.float32, torch.float64, torch.bfloat16, torch.int32, torch.int64, torch.bool, torch.complex64)
_INDEX_NAMES = frozenset({"index", "indices", "target", "offsets", "lengths"})
_MASK_NAMES = frozenset({"mask", "condition"})
_TRIES = 60


@dataclass(frozen=True, slots=True)
class Seen:
    """One call that worked: the dtype and shapes that went in, the tensors that came out."""

    dtype: torch.dtype
    shapes: tuple[_Shape, ...]
    results: tuple[torch.Tensor, ...]
    simplest: bool = True

    @property
    def dims(self) -> tuple[int, ...]:
        """The numbers of dimensions that went in."""
        return tuple(len(shape) for shape in self.shapes)


def observe(name: str, target: Any, overloads: Sequence[Overload], is_method: bool) -> list[Seen]:
    """Return what the calls with guessed arguments showed."""
    if name.startswith(_UNSAFE):
        return []
    receiver = (Item("self", "t"),) if is_method else ()
    seen: list[Seen] = []
    fewest = min((sum(item.required for item in overload.items) for overload in overloads), default=0)
    for overload in overloads:
        required = receiver + tuple(item for item in overload.items if item.required and not item.only_true)
        required += tuple(item for item in overload.items if item.variadic)
        tensors = sum(bool(set(item.kinds) & set("tT")) for item in required)
        if overload.result.startswith(("tensor", "tuple")) and tensors:
            simplest = sum(item.required for item in overload.items) == fewest
            seen += [replace(call, simplest=simplest) for call in _calls(target, required, tensors)]
    return seen


def _calls(target: Any, items: tuple[Item, ...], tensors: int) -> Iterator[Seen]:
    """Yield the calls that worked, first over shapes, then over dtypes with the shapes that worked."""
    worked: list[tuple[_Shape, ...]] = []
    for shapes in _shape_choices(tensors):
        tried = (call for dtype in _FIRST_DTYPES for call in _first(target, items, dtype, shapes))
        found = list(itertools.islice(tried, 1))
        if found:
            worked.append(shapes)
        yield from found
    for dtype in _DTYPES[1:]:
        for shapes in worked[:3]:
            yield from _first(target, items, dtype, shapes)


def _shape_choices(tensors: int) -> Iterator[tuple[_Shape, ...]]:
    for shape in _SHAPES:
        yield (shape,) * tensors
    if tensors >= 2:
        for first, other in _MIXED:
            yield (first,) + (other,) * (tensors - 1)
            if tensors > 2:
                yield (first,) * (tensors - 1) + (other,)


def _first(target: Any, items: tuple[Item, ...], dtype: torch.dtype, shapes: tuple[_Shape, ...]) -> Iterator[Seen]:
    """Yield the first call of a few that works."""
    for plain in itertools.islice(_plain_choices(items, dtype, shapes), _TRIES):
        outcome = _call(target, _arguments(items, dtype, shapes, plain))
        if outcome:
            yield Seen(dtype, shapes, outcome)
            return


def _plain_choices(items: tuple[Item, ...], dtype: torch.dtype, shapes: Sequence[_Shape],
                   ) -> Iterable[tuple[Any, ...]]:  # fmt: skip
    return itertools.product(*(_plain(item, dtype, shapes) for item in items if not set(item.kinds) & set("tT")))


def _plain(item: Item, dtype: torch.dtype, shapes: Sequence[_Shape]) -> tuple[Any, ...]:
    """Return guesses for a parameter that takes no tensor."""
    if "i" in item.kinds:
        return (0, 1, 2, tuple(shapes[0]), (0,), (1,), (1, 1), (4,), (0, 1))
    if "s" in item.kinds and dtype == torch.bool:
        return (True,)  # any other number would promote
    if "s" in item.kinds or "f" in item.kinds:
        return (1, 0.5)
    return {"b": (True, False), "d": (torch.float32,), "v": ("cpu",)}.get(item.kinds, ("mean",))


def _arguments(items: tuple[Item, ...], dtype: torch.dtype, shapes: Sequence[_Shape], plain: Iterable[Any],
               ) -> tuple[list[Any], dict[str, Any]]:  # fmt: skip
    of_tensor, of_plain = iter(shapes), iter(plain)
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for item in items:
        if "t" in item.kinds:
            value: Any = _tensor(item.name, dtype, next(of_tensor))
        elif "T" in item.kinds:
            value = [_tensor(item.name, dtype, shape) for shape in (next(of_tensor),) * 2]
        else:
            value = next(of_plain)
        if item.keyword_only:
            keywords[item.name] = value
        else:
            positional += value if item.variadic and isinstance(value, (list, tuple)) else [value]
    return positional, keywords


def _tensor(name: str, dtype: torch.dtype, shape: tuple[int, ...]) -> torch.Tensor:
    if name in _INDEX_NAMES:
        return torch.zeros(shape, dtype=torch.int64)
    if name in _MASK_NAMES:
        return torch.ones(shape, dtype=torch.bool)
    if len(shape) >= 2 and shape[-1] == shape[-2]:  # a matrix that every factorization accepts
        return torch.eye(shape[-1]).expand(shape).to(dtype, copy=True)
    return torch.ones(shape, dtype=dtype)


def _call(target: Any, arguments: tuple[list[Any], dict[str, Any]]) -> tuple[torch.Tensor, ...]:
    """Return the tensors of the result, or nothing if the call fails."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = target(*arguments[0], **arguments[1])
    except Exception:  # guessed arguments fail in every way there is
        return ()
    values = (result,) if isinstance(result, torch.Tensor) else result
    if isinstance(values, (tuple, list)) and values and all(isinstance(v, torch.Tensor) for v in values):
        return tuple(values)
    return ()
