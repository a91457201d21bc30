"""Knows calls that only try a model: `model(torch.ones(1, 3))` before `model.cuda()`."""

from __future__ import annotations

import ast

from ...often.moving import moved
from ...often.nested import nodes, statements
from ...values.arguments import Keywords
from ...values.placement import anywhere
from ...values.union import Tensor, Value
from ..state.frame import Frame


def as_told(
    frame: Frame, node: ast.Call, positional: tuple[Value, ...], keywords: Keywords
) -> tuple[tuple[Value, ...], Keywords]:
    """Return what a call tells of what it calls: nothing of devices, if that is moved only later."""
    if not _is_tried(frame, node, (*positional, *dict(keywords).values())):
        return positional, keywords
    return tuple(map(anywhere, positional)), tuple((name, anywhere(value)) for name, value in keywords)


def _is_tried(frame: Frame, node: ast.Call, given: tuple[Value, ...]) -> bool:
    """Whether what is called here with tensors on the host is moved later."""
    return any(isinstance(each, Tensor) and each.device.on_cpu for each in given) and _moves_later(frame, node)


def _moves_later(frame: Frame, node: ast.Call) -> bool:
    """Whether a statement of the same body, further below, moves what is called here by its name to a device."""
    if not isinstance(node.func, ast.Name):
        return False
    body = frame.body
    below = (each for each in statements(body) if each.lineno > node.lineno)
    values = [each.value for each in below if isinstance(each, ast.Expr | ast.Assign)]
    calls = [part for value in values for part in nodes(value) if isinstance(part, ast.Call)]
    return any(isinstance(each, ast.Name) and each.id == node.func.id for call in calls for each in moved(call))
