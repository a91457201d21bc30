"""Which values are instances of a class, as `isinstance` tells."""

from __future__ import annotations

from .union import Host, Instance, Sequence, Tensor, Value


def is_one(option: Value, wanted: Value) -> bool:
    """Whether a value is an instance of the class whose instances are like `wanted`."""
    match wanted:
        case Tensor():
            return isinstance(option, Tensor)
        case Host():
            return isinstance(option, Host) and option.kind == wanted.kind
        case Sequence():
            return isinstance(option, Sequence) and option.kind == wanted.kind
        case Instance():
            return isinstance(option, Instance) and option.cls == wanted.cls
    return option == wanted
