"""The small finite sets that describe a tensor: device, dtype, rank, pinned memory.

Each is a set of flags; the join of two is their union. A set answers `must` (nothing else is possible) and
`may` (it is possible); the empty set occurs in no value, but as the memory of a tensor that needs none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...finding import Reason
from ...limits import MOST_RANK
from ...plain import dataclass

if TYPE_CHECKING:
    from .union import Value

CPU = 1
GPU = 2
ANYWHERE = CPU | GPU


@dataclass(frozen=True, slots=True)
class Device:
    """Where a tensor is: a set of places, or "the same as another value" that is not yet known.

    `like` names that other value (a parameter, a result of another function) until linking resolves it; what is on the
    CPU, and like another value, is on the GPU if that turns out to be. `why` is where
    the tensor reached this device, for the reader. `host_for` is what this is the CPU for by default, unless whoever
    calls asks for another device: `parameter`, or `metric`. `named`: the other value names the device, as in
    `x.to(rank)`, so that a number is the index of a GPU, and not what a tensor is made of.
    """

    flags: int = ANYWHERE
    like: Value | None = None
    why: Reason | None = None
    host_for: str = ""
    named: bool = False

    @property
    def on_gpu(self) -> bool:
        """Whether it is certainly on the GPU."""
        return self.flags == GPU

    @property
    def on_cpu(self) -> bool:
        """Whether it is certainly on the host."""
        return self.flags == CPU

    @property
    def depth(self) -> int:
        """The depth of the value that it is like."""
        return 0 if self.like is None else self.like.depth

    def join(self, other: Device) -> Device:
        """Return what is known when either may be the case."""
        if self is other or other == self:
            return self
        if self.flags == other.flags and self.like is other.like and self.host_for == other.host_for:
            return self if self.why else other
        like = self.like if self.like is other.like else None
        return Device(
            self.flags | other.flags,
            like,
            other.why if self.on_cpu else self.why if other.on_cpu else self.why or other.why,
            self.host_for_both(other),
            like is not None and self.named and other.named,
        )

    def host_for_both(self, other: Device) -> str:
        """Return what either is the CPU for by default."""
        return self.host_for or other.host_for if all(each.host_for or each.on_cpu for each in (self, other)) else ""

    def __str__(self) -> str:
        return {CPU: "cpu", GPU: "gpu"}.get(self.flags, "cpu by default" if self.host_for else "any device")


OPEN = Device()
HOST_BY_DEFAULT = Device(host_for="parameter")
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
ANY_RANK = (1 << MOST_RANK + 1) - 1
ARRAY = ANY_RANK & ~SCALAR
"""The flags of rank 1 and more."""

PINNED = 1
PAGEABLE = 2
ANY_MEMORY = PINNED | PAGEABLE
NO_MEMORY = 0
"""The memory of a tensor without elements: there is nothing to copy."""


def may_be_mask(dtype: int) -> bool:
    """Whether bool is one of several possible dtypes."""
    return dtype != BOOL and bool(dtype & BOOL)


def dtype_name(flags: int) -> str:
    """Return the name of a set of dtypes: `bool`, `int|float`, or `?` if anything is possible."""
    if flags == ANY_DTYPE:
        return "?"
    return "|".join(name for flag, name in DTYPE_NAMES.items() if flags & flag)


def rank_flags(rank: int) -> int:
    """Return the flag of one rank."""
    return 1 << min(rank, MOST_RANK)


def ranks_in(flags: int) -> list[int]:
    """Return the ranks of a set, the smallest first; the last may stand for more."""
    return [rank for rank in range(MOST_RANK + 1) if flags & 1 << rank]


def shifted(flags: int, by: int) -> int:
    """Return the ranks after adding or removing so many dimensions; ranks that cannot lose that many are dropped."""
    found = 0
    for rank in ranks_in(flags):
        if rank + by >= 0:
            found |= rank_flags(rank + by)
        if rank == MOST_RANK and by < 0:
            found |= ARRAY & ~((1 << MOST_RANK + by) - 1)
    return found or ANY_RANK


def rank_name(flags: int) -> str:
    """Return the name of a set of ranks: `rank 2`, `rank 1|2`, `rank≥1`, or `rank ?` for any."""
    if flags == ANY_RANK:
        return "rank ?"
    ranks = ranks_in(flags)
    if ranks == list(range(ranks[0], MOST_RANK + 1)):
        return f"rank≥{ranks[0]}"
    return f"rank {'|'.join(map(str, ranks))}"


def memory_name(flags: int) -> str:
    """Return the name of a kind of host memory: `pinned`, `pageable` or `?`."""
    return {PINNED: "pinned", PAGEABLE: "pageable"}.get(flags, "?")


def fresh_memory(flags: int) -> int:
    """Return the memory of a new tensor made from another: pageable for pageable memory, open for pinned."""
    return ANY_MEMORY if flags & PINNED else flags
