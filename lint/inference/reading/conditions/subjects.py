"""The names and paths of which conditions and assignments tell something, and what they hold."""

from __future__ import annotations

import ast
from dataclasses import replace

from ...values.lattice import rank_flags
from ...values.union import Tensor, Value
from ..state.frame import Frame
from ..state.scope import path


def known_at(frame: Frame, node: ast.expr) -> tuple[str, Value] | None:
    """Return the key and value of a name or path that can be narrowed."""
    key = path(node)
    if key is None:
        return None
    value = frame.env.get(key)
    if value is None:
        value = frame.eval(node)
    return key, value


def shape_read(frame: Frame, value: ast.expr, targets: list[ast.expr]) -> None:
    """Note that `b, c = x.shape` (or `x.size()`) tells a tensor's number of dimensions."""
    match value:
        case ast.Attribute(value=subject, attr="shape"):
            pass
        case ast.Call(func=ast.Attribute(value=subject, attr="size"), args=[], keywords=[]):
            pass
        case _:
            return
    if any(isinstance(target, ast.Starred) for target in targets) or not (known := known_at(frame, subject)):
        return
    key, tensor = known
    if isinstance(tensor, Tensor) and tensor.rank & (rank := rank_flags(len(targets))) and tensor.rank != rank:
        frame.hold(key, replace(tensor, rank=rank))
