"""What the source of a call tells of its result: a text that names a device, an iterator of a loader by its name."""

from __future__ import annotations

import ast
from functools import lru_cache

from ....facts import naming
from ....finding import Reason
from ...often.gates import last_name, loader_name
from ...values.lattice import CPU, Device
from ...values.ops import Op
from ...values.union import Batch, Deferred, Sequence, Value, defer
from ..state.frame import Frame
from .device_texts import text_from


def told(frame: Frame, node: ast.Call, value: Value) -> Value:
    """Return the result of a call, or what its source tells if that says more."""
    match node.func:
        case ast.Attribute(value=ast.Constant(value=str()) as text, attr="format"):
            return text_from(frame, node, text)
        case func if last_name(func) in naming.ITERATORS and (name := loader_name(node)) is not None:
            return frame.recorder.same(_of_loader(value, name))
    return value


def _of_loader(value: Value, name: str) -> Value:
    """Return an iterator of what is named like a loader: of its batches, if nothing else tells of what."""
    batches = _batches(name)
    match value:
        case Deferred():
            return defer(Op.BATCH, name, (value, batches))
        case Sequence("iter", None, Deferred() as each):
            return Sequence("iter", None, defer(Op.BATCH, name, (each, batches.element)))
    return value


@lru_cache(maxsize=4096)
def _batches(name: str) -> Sequence:
    """Return the one iterator of batches that stands for all of what has a name: they are one question."""
    why = Reason(f"a loader yields its batches on the host, and `{name}` is named like one")
    return Sequence("iter", None, Batch(Device(CPU, None, why), named=name))
