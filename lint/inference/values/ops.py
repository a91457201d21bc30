"""The operators of deferred terms: what a question asks for."""

from __future__ import annotations

from enum import Enum
from typing import Final

ENTER: Final = "__enter__"
"""The method whose result `with … as` binds; an object without it is bound itself."""


class Op(str, Enum):
    """What a deferred term asks for, of its name and its operands; a text too, so that it hashes as fast as one."""

    PARAMETER = "parameter"
    """What callers pass."""
    NAME = "name"
    """What a name is that nobody binds; with its module's name, what functions bind it to."""
    ATTRIBUTE = "attribute"
    METHOD = "method"
    """What calling a method returns."""
    CALL = "call"
    """What calling a function returns, by its full name."""
    CALL_VALUE = "call_value"
    """What calling the first operand returns."""
    BINARY = "binary"
    UNARY = "unary"
    INDEX = "index"
    ELEMENT = "element"
    """What iterating yields."""
    ITEM = "item"
    """One of several that are unpacked, by its number."""
    BATCH = "batch"
    """What a loader by its name yields."""
    COLLATED = "collated"
    """What a loader yields of what its collate function makes, or by default of what its data set returns."""
    HANDED = "handed"
    """What a function is given that moves batches to the device."""
    BOUND = "bound"
    """What a name is bound to that says what it is: `device = chosen()`."""
    DECLARED = "declared"
    """A parameter by its class, which another file may define."""
    MASK = "mask"
    """What selects entries of a tensor and is named, compared or inverted like a mask."""
    DATA = "data"
    """What `torch.tensor` is given."""
    TOGETHER = "together"
    """Operands that share a device, but for numbers and 0-dim CPU tensors."""
    TARGET = "target"
    """What `.to(…)` moves to."""
    WITHOUT = "without"
    """A value without the kinds that a condition excludes."""
