"""The operation of binding anew what a CUDA graph has captured."""

from __future__ import annotations

from ...plain import dataclass
from ..values.union import Value
from .operations import Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebound(Operation):
    """A name or attribute, `key`, is bound anew before the replay of a graph that has read it in `row`, as `before`.

    `added`: by `+=` or the like, which changes a tensor in its place.
    """

    value: Value
    before: Value
    key: str
    row: int
    added: bool = False
