"""Conditions that ask for a device, or for what talks between devices."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ...facts import naming
from ...facts.devices import GPU_NAMES, TEXT_DEVICES
from .gates import NOTHING_NAMED, last_name


def has_gpu(test: ast.expr, named: Mapping[str, ast.expr] = NOTHING_NAMED, at_all: bool = False) -> bool | None:
    """Return whether a condition holds only with a GPU (True) or only without one (False); None if neither.

    Devices of other kinds count as none: what is written for them alone does not run on CUDA. `named` are conditions
    that names stand for. `at_all`: only what asks whether there is a GPU counts, and not which device something is on.
    """
    match test:
        case ast.Name(id=name) if name in named:
            return has_gpu(named[name], {key: each for key, each in named.items() if key != name}, at_all)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = has_gpu(operand, named, at_all)
            return None if inner is None else not inner
        case ast.BoolOp(op=ast.And(), values=parts):
            return False if any(has_gpu(part, named, at_all) is False for part in parts) else None
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="cuda"), attr="is_available")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=backend), attr="is_available" | "is_built")):
            return False if backend in GPU_NAMES and not at_all else None
        case ast.Call(func=ast.Attribute(attr="device_count")):
            return True
        case ast.Compare(
            left=ast.Call(func=ast.Attribute(attr="device_count")), ops=[op], comparators=[ast.Constant(value=0)]
        ):
            return isinstance(op, ast.Gt | ast.NotEq) or (False if isinstance(op, ast.Eq) else None)
        case ast.Compare() if not at_all:
            return _names_gpu(test)
    return None


def _names_gpu(test: ast.Compare) -> bool | None:
    """Return whether a comparison with the name of a device is with that of a GPU (True) or of another (False)."""
    match test:
        case ast.Compare(left=ast.Constant(value="cuda"), ops=[ast.In() | ast.NotIn() as op], comparators=[where]):
            return isinstance(op, ast.In) if names_device(where) else None
        case ast.Compare(left=where, ops=[op], comparators=[ast.Constant(value=str() as text)]) if text in TEXT_DEVICES:
            if names_device(where) and isinstance(op, ast.Eq | ast.NotEq):
                return isinstance(op, ast.Eq) is (text == "cuda")
    return None


def beside_gpu(test: ast.expr, named: Mapping[str, ast.expr] = NOTHING_NAMED) -> ast.expr:
    """Return what a condition asks besides a GPU: `x.is_cuda` of `torch.cuda.is_available() and x.is_cuda`."""
    match test:
        case ast.BoolOp(op=op, values=parts):
            given = isinstance(op, ast.And)
            match [part for part in parts if has_gpu(part, named) is not given]:
                case [rest]:
                    return rest
    return test


def place_asked(test: ast.expr) -> tuple[ast.expr, bool] | None:
    """Return of what a condition asks where it is, and whether it must be on the GPU; None if it asks nothing such."""
    match test:
        case ast.Attribute(value=subject, attr="is_cuda"):
            return subject, True
        case ast.Attribute(value=subject, attr="is_cpu"):
            return subject, False
        case ast.Compare(
            left=ast.Attribute(value=ast.Attribute(value=subject, attr="device"), attr="type"),
            ops=[ast.Eq() | ast.NotEq() as op],
            comparators=[ast.Constant(value="cuda" | "cpu" as text)],
        ):
            return subject, isinstance(op, ast.Eq) is (text == "cuda")
        case ast.Compare(
            left=ast.Attribute(value=subject, attr="device"),
            ops=[ast.Eq() | ast.NotEq() as op],
            comparators=[ast.Call(func=made, args=[ast.Constant(value="cpu")])],
        ) if last_name(made) == "device":
            return subject, isinstance(op, ast.NotEq)
    return None


def off_gpu(test: ast.expr, holds: bool, named: Mapping[str, ast.expr] = NOTHING_NAMED) -> ast.expr | None:
    """Return what must not be on the GPU, though there is one, for a condition to hold, or not to; None if nothing."""
    test = beside_gpu(test, named)
    match test:
        case ast.Name(id=name) if name in named:
            return off_gpu(named[name], holds, {key: each for key, each in named.items() if key != name})
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return off_gpu(operand, not holds, named)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            return next(filter(None, (off_gpu(part, holds, named) for part in parts)), None)
    asked = place_asked(test)
    return asked[0] if asked is not None and asked[1] is not holds else None


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
