"""Reads names: of the body itself, the ones around it, the module, a star import, Python's builtins."""

from __future__ import annotations

import ast

from ...library.access import of_module
from ...library.imports import builtin
from ...values.lattice import GPU, Device
from ...values.ops import Op
from ...values.union import UNKNOWN, DeviceRef, Module, Value, defer
from ..state.frame import Frame
from ..state.scope import Hidden


def lookup(frame: Frame, name: str) -> Value:
    """Return the value of a name: of the function, enclosing ones, the module, a star import, a builtin."""
    value = frame.env.get(name)
    if value is not None:
        return value
    for names in frame.closure:
        if (value := names.get(name)) is not None:
            return value
    if (value := builtin(name)) is not UNKNOWN:
        return value
    for names in (frame.env, *frame.closure):
        if isinstance(star := names.get(Hidden.STAR), Module):
            return _by_star(frame, star, name)
    return frame.recorder.same(defer(Op.NAME, name))


def _by_star(frame: Frame, star: Module, name: str) -> Value:
    """Return what a star import binds to a name.

    Of several modules the last one is asked, if it is of a library.
    """
    last = star.name.partition(" ")[0]
    if frame.file.is_of_library(last):
        return of_module(Module(last), name)
    return of_module(star if last == star.name else Module(frame.file.module), name)


def gpu_device(frame: Frame, node: ast.expr) -> Value:
    """Return a device that the configuration names."""
    return DeviceRef(Device(GPU, None, frame.because(node, "the configuration says that this device is a GPU")))


def name_read(frame: Frame, node: ast.Name) -> Value:
    """Return the value of a name, which the configuration may know."""
    if frame.gpu_names and node.id in frame.gpu_names:
        return gpu_device(frame, node)
    known = frame.env.get(node.id)
    return lookup(frame, node.id) if known is None else known
