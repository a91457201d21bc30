"""Conditions that hold in every program that does something: that there is data, that a tensor is one."""

from __future__ import annotations

import ast
from typing import Final

from ....facts import choices, states
from ....facts.accelerators import AT_EACH_STEP
from ...often.gates import last_name
from ...often.nested import bound_by, nodes, statements
from ..state.frame import Frame

_EMPTY: Final = {ast.Eq: True, ast.LtE: True, ast.Lt: True, ast.NotEq: False, ast.Gt: False, ast.GtE: False}
"""Whether a size compared with nothing, or with one, says that there is nothing."""


def goes_without_saying(frame: Frame, test: ast.expr, holds: bool) -> bool:
    """Whether a condition, or its opposite, says that there is something, that a tensor is one, or that code runs."""
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=int() as few)]) if _is_size(left):
            least = 1 if isinstance(op, ast.Lt | ast.GtE) else 0
            return few == least and _EMPTY.get(type(op)) is (not holds) and not _looks_for(frame, left)
        case ast.Attribute(attr=name):
            return holds and name in AT_EACH_STEP
        case ast.Compare(left=ast.Attribute(attr="grad"), ops=[op], comparators=[ast.Constant(value=None)]):
            return isinstance(op, ast.IsNot) is holds  # a step has gradients
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, kind]):
            return holds and last_name(kind) == "Tensor"
        case ast.Call():
            if last_name(test) == "is_tensor":
                return holds
            return (last_name(test).lstrip("_") in states.COMPILING and not holds) or (
                _is_size(test) and holds and not _looks_for(frame, test)
            )
    return False


def _is_size(node: ast.expr) -> bool:
    """Whether an expression is how many items something has."""
    match node:
        case ast.Call(func=ast.Name(id="len")):
            return True
        case ast.Call(func=ast.Attribute(attr="numel" | "nelement" | "size")):
            return True
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return True
    return False


def _looks_for(frame: Frame, counted: ast.expr) -> bool:
    """Whether what is counted was looked for in tensors, so that there may be none: `ind = torch.nonzero(isinf(x))`."""
    names = {each.id for each in nodes(counted) if isinstance(each, ast.Name)}
    body = () if frame.node is None else frame.node.body
    assigned = (each for each in statements(body) if isinstance(each, ast.Assign))
    made = (each.value for each in assigned if names.intersection(bound_by(each)))
    return any(_finds(part) for value in made for part in nodes(value))


def _finds(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=func, args=given):
            return last_name(func) in choices.FINDING and (last_name(func) != "where" or len(given) == 1)
    return False
