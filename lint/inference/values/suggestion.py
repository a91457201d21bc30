"""Guesses a value from the name of its attribute, key or parameter, where nothing else is known."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ...facts.attributes import MOVES
from ...facts.naming import DEVICE_NAMES
from ...regex import regex
from .lattice import ANY_DTYPE, OPEN
from .ops import Op
from .union import UNKNOWN, Deferred, DeviceRef, DTypeRef, Host, Value

QUALIFIED = regex(r"[:.]")
PARTS = frozenset((Op.ATTRIBUTE, Op.ELEMENT, Op.INDEX, Op.ITEM, Op.METHOD, Op.UNARY))
"""Operations whose result is where their first operand is, if that is a tensor that does not move."""


@lru_cache(maxsize=4096)
def suggested(name: str) -> Value:
    """Return a device for `cfg.device`, a dtype for `self.weight_dtype`, whichever it is; else Unknown."""
    last = QUALIFIED.split(name)[-1].lower()
    if last in DEVICE_NAMES:
        return DeviceRef(OPEN)
    return DTypeRef(ANY_DTYPE) if last.rpartition("_")[2] == "dtype" else UNKNOWN


def at_key(key: Value) -> Value:
    """Return what the key of an item suggests: `kwargs["device"]`."""
    return suggested(key.constant) if isinstance(key, Host) and isinstance(key.constant, str) else UNKNOWN


def of_question(term: Deferred) -> Value:
    """Return what the name in a question suggests that nothing answers."""
    match term:
        case Deferred(op=Op.PARAMETER | Op.ATTRIBUTE | Op.NAME):
            return suggested(term.name)
        case (
            Deferred(op=Op.INDEX, operands=(_, key)) | Deferred(op=Op.METHOD, name="get" | "pop", operands=(_, key, *_))
        ):
            return at_key(key)
        case Deferred(op=Op.METHOD, name="numpy", operands=(_,)):
            return Host("ndarray")  # whatever has such a method
    return UNKNOWN


def beside(term: Deferred) -> Iterator[Deferred]:
    """Yield the question and those whose answers are on the same device: `x` for `x[0].max()`."""
    yield term
    while term.op in PARTS and term.name not in MOVES and isinstance(first := term.operands[0], Deferred):
        yield (term := first)
