"""Conditions that hold in every program that does something: that there is data, that a tensor is one.

So do those that a pass meets as a rule: that a counter is past its beginning, or that data is fit to be worked on.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from ....facts import choices
from ....facts.accelerators import AT_EACH_STEP
from ....facts.states import COMPILING
from ...often import states
from ...often.gates import last_name
from ...often.nested import nodes
from ...values.union import Batch, Tensor, options_of
from ..state.frame import Frame
from .sizes import bound_to

_EMPTY: Final = {ast.Eq: True, ast.LtE: True, ast.Lt: True, ast.NotEq: False, ast.Gt: False, ast.GtE: False}
"""Whether a size compared with nothing, or with one, says that there is nothing."""

_GROWS: Final = {ast.Gt: True, ast.GtE: True, ast.NotEq: True, ast.Lt: False, ast.LtE: False, ast.Eq: False}
"""Whether a number that grows comes to be what it is compared with, or another, and stays so."""


def goes_without_saying(frame: Frame, test: ast.expr, holds: bool) -> bool:
    """Whether a condition, or its opposite, says that there is something, that a tensor is one, or that code runs."""
    if states.not_finite(test, not holds):
        return True
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=int(0))]) if _is_rank(left):
            return isinstance(op, ast.Eq) is holds  # the first process does, or the only one
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=int() as few)]) if _is_size(left):
            least = 1 if isinstance(op, ast.Lt | ast.GtE) else 0
            is_alone = few == 1 and isinstance(op, ast.Eq | ast.NotEq)
            return (few == least or is_alone) and _EMPTY.get(type(op)) is (not holds) and not _looks_for(frame, left)
        case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[ast.Constant() | ast.Name() | ast.Attribute()]):
            return _GROWS.get(type(op)) is holds and _counts_up(frame, name)
        case ast.Attribute(attr=name):
            return holds and name in AT_EACH_STEP
        case ast.Compare(left=ast.Attribute(attr="grad"), ops=[op], comparators=[ast.Constant(value=None)]):
            return isinstance(op, ast.IsNot) is holds  # a step has gradients
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, kind]):
            return holds and last_name(kind) == "Tensor"
        case ast.Call():
            if last_name(test) == "is_tensor":
                return holds
            return (last_name(test).lstrip("_") in COMPILING and not holds) or (
                _is_size(test) and holds and not _looks_for(frame, test)
            )
    return False


def _is_rank(node: ast.expr) -> bool:
    """Whether an expression is named like the number of a process: `global_rank`, `dist.get_rank()`."""
    return last_name(node).endswith("rank")


def _is_size(node: ast.AST) -> bool:
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
    return any(_finds(part) for name in names for value in bound_to(frame, name) for part in nodes(value))


def _finds(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=func, args=given):
            return last_name(func) in choices.FINDING and (last_name(func) != "where" or len(given) == 1)
    return False


def _counts_up(frame: Frame, name: str) -> bool:
    """Whether a name counts the passes of a loop of this body, so that it is past any number but in the first ones."""
    return any(_counts(each, name) for each in frame.file.bodies.binding(frame.body).get(name, ()))


def _counts(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.AugAssign(op=ast.Add()):
            return True
        case ast.For(target=ast.Name(), iter=ast.Call(func=func)):
            return last_name(func).endswith("range")
        case ast.For(target=ast.Tuple(elts=[ast.Name(id=counted), _]), iter=source) if counted == name:
            return any(isinstance(part, ast.Call) and last_name(part) == "enumerate" for part in nodes(source))
    return False


def only_leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether a block does nothing but skip what would be done."""
    match body:
        case [*said, ast.Pass() | ast.Continue() | ast.Return(value=None | ast.Constant())]:
            return all(map(_only_says, said))
    return False


def _only_says(statement: ast.stmt) -> bool:
    """Whether a statement tells something, or resets it: `print("skipped")`, `optimizer.zero_grad()`."""
    match statement:
        case ast.Expr(value=ast.Call(args=[] | [ast.Constant(value=str()) | ast.JoinedStr(), *_])):
            return True
    return False


def asks_of_data(frame: Frame, test: ast.expr) -> bool:
    """Whether a condition asks for what data is like, and not for an option, a kind, or what was done before."""
    parts = nodes(test)
    if any(isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.In | ast.NotIn) for each in parts):
        return False
    if (isinstance(test, ast.Call) and last_name(test) in ("isinstance", "hasattr")) or _looks_for(frame, test):
        return False
    names = {each.id for each in parts if isinstance(each, ast.Name)}
    return any(map(_is_size, parts)) or any(_is_data(frame, each) for each in names)


def _is_data(frame: Frame, name: str) -> bool:
    """Whether a name holds a tensor, or an item of a loop, or is made of one."""
    seen, todo = set(), [name]
    while todo:
        seen.add(each := todo.pop())
        known = options_of(frame.env[each]) if each in frame.env else ()
        if any(isinstance(option, Tensor | Batch) for option in known) or frame.region.loop_of(each) is not None:
            return True
        made_of = (part.id for value in bound_to(frame, each) for part in nodes(value) if isinstance(part, ast.Name))
        todo += [part for part in made_of if part not in seen]
    return False
