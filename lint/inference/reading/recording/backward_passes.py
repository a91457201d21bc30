"""Tells calls that run a backward pass: by their names, or since they return the gradients of a model's parameters."""

from __future__ import annotations

import ast

from ....facts import naming
from ....facts.modules import GRADIENTS_OF
from ...often.nested import bound_by, nodes, statements
from ...values.union import Function, Module, Value
from ..state.frame import Frame


def is_backward(frame: Frame, node: ast.Call, name: str, callee: Value) -> bool:
    """Whether a call runs a backward pass for the sake of a model's parameters; `name` is its last one."""
    if name in naming.BACKWARD_FUNCTIONS:
        return True
    return isinstance(callee, Module | Function) and callee.name == GRADIENTS_OF and _is_of_parameters(frame, node)


def _is_of_parameters(frame: Frame, node: ast.Call) -> bool:
    """Whether gradients are those of parameters: with those of inputs, losses and physics are computed."""
    named = next((each.value for each in node.keywords if each.arg == "inputs"), None)
    inputs = node.args[1] if len(node.args) > 1 else named
    if inputs is None:
        return False
    names = {each.id for each in nodes(inputs) if isinstance(each, ast.Name)}
    body = frame.body
    made = (
        each.value for each in statements(body) if isinstance(each, ast.Assign) and names.intersection(bound_by(each))
    )
    return any(map(_asks_module, (inputs, *made)))


def _asks_module(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr.endswith("parameters") for each in nodes(node))
