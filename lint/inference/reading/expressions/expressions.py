"""Reads the small expressions: constants, f-strings, `:=`, `await`, `yield`, `*items`."""

from __future__ import annotations

import ast

from ...values.containers import element
from ...values.union import UNKNOWN, Host, Value
from ..places.bindings import bind
from ..recording.conversions import convert
from ..state.frame import Frame
from .device_texts import text_from


def constant(frame: Frame, node: ast.Constant) -> Value:
    """Return a constant."""
    return Host("ellipsis") if node.value is ... else frame.recorder.constant(node.value)


def f_string(frame: Frame, node: ast.JoinedStr) -> Value:
    """Return an f-string, or the device that it names; its parts are formatted as text."""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            value = frame.eval(part.value)
            convert(frame, part.value, value, "str", "an f-string")
            if part.format_spec is not None:
                frame.eval(part.format_spec)
    return text_from(frame, node, node.values[0]) if node.values else Host("str")


def formatted_value(frame: Frame, node: ast.FormattedValue) -> Value:
    """Return a part of an f-string."""
    return frame.eval(node.value)


def walrus(frame: Frame, node: ast.NamedExpr) -> Value:
    """Return the value of `name := value`, and bind the name."""
    value = frame.eval(node.value)
    bind(frame, node.target, value)
    return value


def await_(frame: Frame, node: ast.Await) -> Value:
    """Return what is awaited."""
    return frame.eval(node.value)


def yield_(frame: Frame, node: ast.Yield | ast.YieldFrom) -> Value:
    """Record what the function yields; what it is sent is unknown."""
    if node.value is not None:
        value = frame.eval(node.value)
        frame.yields.append(element(value) if isinstance(node, ast.YieldFrom) else value)
    return UNKNOWN


def starred(frame: Frame, node: ast.Starred) -> Value:
    """Return what `*items` stands for."""
    each = element(frame.eval(node.value))
    return Host("object") if each == Host("int") else each  # the number of items is unknown
