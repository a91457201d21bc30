"""Infers the dtype and rank rules of a function from calls that worked. Pure: it calls nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from .probes import Seen
from .sources import Overload

# Dtypes that a function returns whatever it is given.
_FIXED = {
    torch.bool: "bool", torch.int64: "int64", torch.int32: "int32", torch.uint8: "uint8",
    torch.int8: "int", torch.int16: "int",
}  # fmt: skip
# Arguments that keep `sum`, `max` and the like from reducing to a single element.
WIDENING = frozenset({"dim", "axis", "dims", "other", "keepdim"})
# Tensors of indices or counts: they do not take part in dtype promotion.
_POSITIONS = frozenset({"index", "indices", "repeats", "start", "tensor_indices_or_sections"})


def _each(rule: Callable[[int], str], width: int) -> str:
    """Return the rule of each of `width` tensors, once if all agree."""
    rules = [rule(index) for index in range(width)]
    return rules[0] if len(set(rules)) == 1 else ",".join(rules)


def dtype_rule(seen: Sequence[Seen], width: int) -> str:
    """Return the dtype rule of the `width` tensors of a result, `any` if nothing was learned."""

    def of(index: int) -> str:
        return _dtype_rule([(s.dtype, s.results[index].dtype) for s in seen if len(s.results) > index])

    return _each(of, width)


def _dtype_rule(pairs: Sequence[tuple[torch.dtype, torch.dtype]]) -> str:
    if not pairs:
        return "any"
    outs = {out for _, out in pairs}
    if len(outs) == 1 and {into for into, _ in pairs} != outs and (word := _FIXED.get(next(iter(outs)))):
        return word
    if all(into == out for into, out in pairs):
        return "same"
    if all(out.is_complex for out in outs):
        return "complex"
    if all(into == out or (into.is_complex and not out.is_complex) for into, out in pairs):
        return "real"
    if all(into == out or (_is_integral(into) and out == torch.int64) for into, out in pairs):
        return "accumulate"
    if all(out.is_floating_point or (into.is_complex and out.is_complex) for into, out in pairs):
        return "float"
    return "any"


def _is_integral(dtype: torch.dtype) -> bool:
    return not dtype.is_floating_point and not dtype.is_complex


def rank_rule(seen: Sequence[Seen], overloads: Sequence[Overload], width: int) -> str:
    """Return the rule for the number of dimensions, `any` if nothing simple fits all calls."""
    if width == 1 and _has(overloads, "reduction"):
        return "reduction"

    def of(index: int) -> str:
        calls = [call for call in seen if len(call.results) > index]
        simplest = [(call.dims, call.results[index].dim()) for call in calls if call.simplest]
        if _has(overloads, *WIDENING) and simplest and _always_scalar(simplest):
            return "reduce"
        return _rank_rule([(call.dims, call.results[index].dim()) for call in calls])

    return _each(of, width)


def _has(overloads: Sequence[Overload], *names: str) -> bool:
    return any(item.name in names for overload in overloads for item in overload.items)


def _always_scalar(pairs: Sequence[tuple[tuple[int, ...], int]]) -> bool:
    """Whether a single element came out although larger inputs went in."""
    return all(out == 0 for _, out in pairs) and max(max(dims) for dims, _ in pairs) > 1


def _rank_rule(pairs: Sequence[tuple[tuple[int, ...], int]]) -> str:
    if not pairs:
        return "any"
    if all(out == 0 for _, out in pairs):
        return "0" if max(max(dims) for dims, _ in pairs) > 0 else "any"
    if all(max(dims) == out for dims, out in pairs):
        return "same"
    if all(dims[0] == out for dims, out in pairs):
        return "first"
    # Matrix functions reject fewer than two dimensions; functions that only accepted more are not understood.
    lowest = min(max(dims) for dims, _ in pairs)
    return "1+" if lowest <= 2 and min(out for _, out in pairs) > 0 else "any"


def takes_positions(overloads: Sequence[Overload]) -> bool:
    """Whether a tensor argument holds indices, so that the result has the dtype of the first argument."""
    items = (item for overload in overloads for item in overload.items)
    return any(item.name in _POSITIONS and set(item.kinds) & set("tT") for item in items)
