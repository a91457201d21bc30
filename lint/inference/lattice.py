"""The small finite sets that describe a tensor: device, dtype, rank, pinned memory.

Each is a set of flags; the join of two is their union. A set answers `must` (nothing else is possible) and
`may` (it is possible); the empty set never occurs in a value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..finding import Reason

if TYPE_CHECKING:
    from .values import Value

CPU = 1
GPU = 2
ANYWHERE = CPU | GPU


@dataclass(frozen=True, slots=True)
class Device:
    """Where a tensor lives: a set of places, or "the same as another value" that is not known yet.

    `like` names that other value (a parameter, a result of another function) until linking resolves it.
    `why` is where the tensor reached this device, for the reader.
    """

    flags: int = ANYWHERE
    like: Value | None = None
    why: Reason | None = None

    @property
    def on_gpu(self) -> bool:
        """It is certainly on the GPU."""
        return self.flags == GPU

    @property
    def on_cpu(self) -> bool:
        """It is certainly on the host."""
        return self.flags == CPU

    def join(self, other: Device) -> Device:
        """What is known when either may be the case."""
        if self is other or other == self:
            return self
        if self.flags == other.flags and (self.like is other.like):
            return self if self.why else other
        like = self.like if self.like is other.like else None
        return Device(
            self.flags | other.flags,
            like,
            other.why if self.on_cpu else self.why if other.on_cpu else self.why or other.why,
        )

    def __str__(self) -> str:
        return {CPU: "cpu", GPU: "gpu"}.get(self.flags, "any device")


OPEN = Device()
HOST = Device(CPU)

BOOL = 1
INT = 2
UINT8 = 4
FLOAT = 8
COMPLEX = 16
ANY_DTYPE = 31
DTYPE_NAMES = {BOOL: "bool", INT: "int", UINT8: "uint8", FLOAT: "float", COMPLEX: "complex"}

SCALAR = 1
"""The flag of rank 0: a 0-dimensional tensor."""
ARRAY = 2
"""The flag of rank 1 and more."""
ANY_RANK = SCALAR | ARRAY

PINNED = 1
PAGEABLE = 2
ANY_MEMORY = PINNED | PAGEABLE


def dtype_name(flags: int) -> str:
    """The name of a set of dtypes: `bool`, `int|float`, or `?` when anything is possible."""
    if flags == ANY_DTYPE:
        return "?"
    return "|".join(name for flag, name in DTYPE_NAMES.items() if flags & flag)


def rank_name(flags: int) -> str:
    """The name of a set of ranks: `rank 0`, `rank≥1` or `rank ?`."""
    return {SCALAR: "rank 0", ARRAY: "rank≥1"}.get(flags, "rank ?")


def memory_name(flags: int) -> str:
    """The name of a kind of host memory: `pinned`, `pageable` or `?`."""
    return {PINNED: "pinned", PAGEABLE: "pageable"}.get(flags, "?")


def fresh_memory(flags: int) -> int:
    """The memory of what is newly made of a tensor: a copy of pageable memory is pageable, of pinned it may be."""
    return PAGEABLE if flags == PAGEABLE else ANY_MEMORY
