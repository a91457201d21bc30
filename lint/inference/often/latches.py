"""Conditions that the code behind them makes false, so that it runs once: `if not self.ready: self.build()`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import EllipsisType
from typing import Final, TypeAlias

from .nested import nodes, statements

Constant: TypeAlias = "str | bytes | bool | int | float | complex | EllipsisType | None"
Bound: TypeAlias = tuple[str, Constant]
"""An attribute that is bound to a constant."""
BodyOf: TypeAlias = Callable[[str], Sequence[ast.stmt]]
"""The statements of the object's own method by that name; none if the file does not define it."""
Left: TypeAlias = Mapping[str, ast.expr]
"""What code leaves attributes bound to, by their paths."""

_NEVER_NONE: Final = (ast.Call, ast.BinOp, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.DictComp)
"""What, of what is bound, is hardly ever None."""
_IS_THE_SAME: Final[Mapping[type[ast.cmpop], bool]] = {ast.Is: True, ast.Eq: True, ast.IsNot: False, ast.NotEq: False}


def latched(
    test: ast.expr, holds: bool, code: Sequence[ast.stmt], body_of: BodyOf, later: Collection[Bound]
) -> str | None:
    """Return why code that runs if a condition holds, or does not, runs once: it makes that so no more.

    None if that is not so, or if methods bind attributes `later` to what makes it so again.
    """
    left: dict[str, ast.expr] = {}
    for target, value in _bound(code, body_of):
        left[ast.unparse(target)] = value
    if not left or _after(test, left) is not (not holds):
        return None
    asked = [path for each in nodes(test) if isinstance(each, ast.expr) and (path := _path(each)) in left]
    again = ({path: ast.Constant(value)} for path in asked for name, value in later if path.endswith(f".{name}"))
    is_reset = any(_after(test, each) is holds for each in again)
    return None if is_reset else f"only until `{asked[0].rpartition('.')[2]}` is set"


def _bound(code: Iterable[ast.stmt], body_of: BodyOf) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """Yield the attributes that code binds whenever it runs, with what to, also in methods of the object it calls."""
    for statement in code:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                yield from ((to, each) for to, each in zip(targets, values) if isinstance(to, ast.Attribute))
            case ast.Assign(targets=targets, value=value):
                yield from ((each, value) for each in targets if isinstance(each, ast.Attribute))
            case ast.AnnAssign(target=ast.Attribute() as target, value=ast.expr() as value):
                yield target, value
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=method))):
                yield from _bound(body_of(method), lambda _: ())
            case ast.With(body=body) | ast.AsyncWith(body=body):
                yield from _bound(body, body_of)


def _after(test: ast.expr, left: Left) -> bool | None:
    """Return whether a condition holds after code has left attributes bound like this; None if that is open."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            holds = _after(operand, left)
            return None if holds is None else not holds
        case ast.BoolOp(op=op, values=parts):
            decides = isinstance(op, ast.Or)
            found = [_after(each, left) for each in parts]
            return decides if decides in found else None if None in found else not decides
        case ast.Compare(left=asked, ops=[op], comparators=[ast.Constant(value=wanted)]) if type(op) in _IS_THE_SAME:
            same = _is(left.get(_path(asked)), wanted)
            return None if same is None else same is _IS_THE_SAME[type(op)]
        case ast.Attribute() | ast.Call():
            value = left.get(_path(test))
            return bool(value.value) if isinstance(value, ast.Constant) else None
    return None


def _path(node: ast.expr) -> str:
    """Return what an attribute is read as, also by `getattr(self, "done", False)`."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[base, ast.Constant(value=str() as name), ast.Constant()]):
            return f"{ast.unparse(base)}.{name}"
    return ast.unparse(node)


def _is(value: ast.expr | None, wanted: object) -> bool | None:
    """Return whether what an attribute is bound to is a constant; None if that is open."""
    match value:
        case ast.Constant(value=known):
            return known is wanted or (type(known) is type(wanted) and known == wanted)
        case ast.expr() if wanted is None and isinstance(value, _NEVER_NONE):
            return False
    return None


def set_later(body: Sequence[ast.stmt]) -> frozenset[Bound]:
    """Return the attributes that some function in a body other than a constructor binds to a constant, with that."""
    functions = (each for each in statements(body) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    bound = (each for function in functions if function.name != "__init__" for each in statements(function.body))
    return frozenset(
        (target.attr, each.value.value)
        for each in bound
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant)
        for target in each.targets
        if isinstance(target, ast.Attribute)
    )
