"""How much a value may hold: what goes through a value can recurse no deeper, and costs no more, than is said here.

Each value has a `depth`, how deep values are nested in it, and a `size`, how many it holds, both known when it is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from ...limits import DEEPEST_VALUE, LARGEST_VALUE

if TYPE_CHECKING:
    from .lattice import Device
    from .union import Value


class Plain:
    """A value that holds no others."""

    __slots__ = ()
    depth: ClassVar[int] = 0
    size: ClassVar[int] = 1


class OnDevice:
    """A value that is on a device, which may be that of another value."""

    __slots__ = ()
    device: Device
    size: ClassVar[int] = 1

    @property
    def depth(self) -> int:
        """The depth of the value that its device is like."""
        return self.device.depth


def extent(values: Iterable[Value]) -> tuple[int, int]:
    """Return the depth and the size of what is made from these values."""
    depth, size = 0, 1
    for value in values:
        size += value.size
        if (inner := value.depth) >= depth:
            depth = inner + 1
    return depth, size


def depth_over(values: Iterable[Value]) -> int:
    """Return the depth of what is made from these values, where their sizes do not matter."""
    depth = 0
    for value in values:
        if (inner := value.depth) >= depth:
            depth = inner + 1
    return depth


def fits(depth: int, size: int = 0) -> bool:
    """Whether a value may be so deep and so large."""
    if depth > DEEPEST_VALUE:
        return not DEEPEST_VALUE.met()
    return size <= LARGEST_VALUE or not LARGEST_VALUE.met()
