"""Texts that are put together and begin as the name of a device: `f"cuda:{rank}"`, `"cuda:" + str(rank)`."""

from __future__ import annotations

import ast

from ....facts.devices import TEXT_DEVICES
from ...values.tensors import device_named
from ...values.union import DeviceRef, Host, Value
from ..state.frame import Frame


def text_from(frame: Frame, node: ast.expr, head: ast.expr) -> Value:
    """Return the device that a text names which begins like this, or a text."""
    match head:
        case ast.Constant(value=str() as text) if text.startswith(TEXT_DEVICES):
            return DeviceRef(device_named(text, frame.because(node, f"`{text}…` names the device")))
    return Host("str")
