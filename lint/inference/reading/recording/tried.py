"""Knows calls that only try a model before it is moved: `model(torch.ones(1, 3))`, and then `model.cuda()`."""

from __future__ import annotations

import ast
from dataclasses import replace

from ...often.nested import nodes, statements
from ...values.arguments import Keywords
from ...values.lattice import OPEN
from ...values.union import Tensor, Value
from ..state.frame import Frame
from .moves import moved


def as_told(
    frame: Frame, node: ast.Call, positional: tuple[Value, ...], keywords: Keywords
) -> tuple[tuple[Value, ...], Keywords]:
    """Return what a call tells of what it calls: nothing of devices, if that is moved only later."""
    given = (*positional, *(value for _, value in keywords))
    if not any(map(_is_on_host, given)) or not _moves_later(frame, node):
        return positional, keywords
    return tuple(map(_anywhere, positional)), tuple((name, _anywhere(value)) for name, value in keywords)


def _is_on_host(value: Value) -> bool:
    return isinstance(value, Tensor) and value.device.on_cpu


def _anywhere(value: Value) -> Value:
    return replace(value, device=OPEN) if isinstance(value, Tensor) and value.device.on_cpu else value


def _moves_later(frame: Frame, node: ast.Call) -> bool:
    """Whether a statement of the same body, further below, moves what is called here by its name to a device."""
    if not isinstance(node.func, ast.Name):
        return False
    body = frame.file.source.tree.body if frame.node is None else frame.node.body
    below = (each for each in statements(body) if each.lineno > node.lineno)
    values = [each.value for each in below if isinstance(each, ast.Expr | ast.Assign)]
    calls = [part for value in values for part in nodes(value) if isinstance(part, ast.Call)]
    return any(isinstance(each, ast.Name) and each.id == node.func.id for call in calls for each in moved(call))
