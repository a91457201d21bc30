"""Conditions that ask for a device, or for what talks between devices."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ...facts import naming
from ...facts.devices import TEXT_DEVICES
from .gates import NOTHING_NAMED, last_name


def has_gpu(test: ast.expr, named: Mapping[str, ast.expr] = NOTHING_NAMED) -> bool | None:
    """Return whether a condition holds only with a GPU (True) or only without one (False); None if neither.

    Devices of other kinds count as none: what is written for them alone does not run on CUDA. `named` are conditions
    that names stand for.
    """
    match test:
        case ast.Name(id=name) if name in named:
            return has_gpu(named[name], named)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = has_gpu(operand, named)
            return None if inner is None else not inner
        case ast.BoolOp(op=ast.And(), values=parts):
            return False if any(has_gpu(part, named) is False for part in parts) else None
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="cuda"), attr="is_available")):
            return True
        case ast.Compare(left=ast.Constant(value="cuda"), ops=[ast.In() | ast.NotIn() as op], comparators=[where]):
            return isinstance(op, ast.In) if names_device(where) else None
        case ast.Compare(left=where, ops=[op], comparators=[ast.Constant(value=str() as text)]) if text in TEXT_DEVICES:
            if names_device(where) and isinstance(op, ast.Eq | ast.NotEq):
                return isinstance(op, ast.Eq) is (text == "cuda")
    return None


def names_device(node: ast.expr) -> bool:
    """Whether an expression is named like a device, or like its type."""
    name = last_name(node)
    return "device" in name or (name == "type" and isinstance(node, ast.Attribute) and names_device(node.value))


def asks_for_backend(test: ast.expr) -> bool:
    """Whether a condition asks for the backend of a process group, which says on which device its tensors are."""
    match test:
        case ast.Compare(comparators=[ast.Constant(value=str() as name)]):
            return name in naming.PROCESS_GROUPS
    return False
