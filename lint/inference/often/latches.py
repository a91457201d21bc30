"""Conditions that the code behind them makes false, so that it runs once: `if not self.ready: self.build()`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import EllipsisType
from typing import Final, NamedTuple, TypeAlias

from .gates import last_name
from .nested import declared_global, nodes, statements

Constant: TypeAlias = "str | bytes | bool | int | float | complex | EllipsisType | None"
Bound: TypeAlias = tuple[str, Constant]
"""An attribute, or a name of the module, that is bound to a constant."""
BodyOf: TypeAlias = Callable[[str], Sequence[ast.stmt]]
"""The statements of the object's own method by that name; none if the file does not define it."""
Left: TypeAlias = Mapping[str, ast.expr]
"""What code leaves attributes and names bound to, by their paths."""

_NEVER_NONE: Final = (ast.Call, ast.BinOp, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.DictComp)
"""What, of what is bound, is hardly ever None."""
_IS_THE_SAME: Final[Mapping[type[ast.cmpop], bool]] = {ast.Is: True, ast.Eq: True, ast.IsNot: False, ast.NotEq: False}


class Scope(NamedTuple):
    """What code may keep something in, and what others bind there.

    `body_of` has the object's own methods, `shared` are the names of the module that the function binds, `later` the
    attributes and names that functions bind to constants.
    """

    body_of: BodyOf
    shared: frozenset[str]
    later: Collection[Bound]


def latched(test: ast.expr, holds: bool, code: Sequence[ast.stmt], scope: Scope) -> str | None:
    """Return why code that runs if a condition holds, or does not, runs once: it makes that so no more.

    None if that is not so, or if something makes it so again.
    """
    bound = ((target, value) for target, value in _bound(code, scope.body_of) if _is_kept(target, scope.shared))
    left = {ast.unparse(target): value for target, value in bound}
    if not left or _after(test, left) is not (not holds):
        return None
    asked = [path for each in nodes(test) if isinstance(each, ast.expr) and (path := _path(each)) in left]
    last = {path: path.rpartition(".")[2] for path in asked}
    again = ({path: ast.Constant(value)} for path in asked for name, value in scope.later if last[path] == name)
    is_reset = any(_after(test, each) is holds for each in again)
    return None if is_reset else f"only until `{last[asked[0]]}` is set"


def _is_kept(target: ast.expr, shared: frozenset[str]) -> bool:
    """Whether what code binds outlives it: an attribute, or a name of the module."""
    return isinstance(target, ast.Attribute) or (isinstance(target, ast.Name) and target.id in shared)


def _bound(code: Iterable[ast.stmt], body_of: BodyOf) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what code binds whenever it runs, with what to, also in methods of the object that it calls."""
    for statement in code:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                yield from zip(targets, values)
            case ast.Assign(targets=targets, value=value):
                yield from ((each, value) for each in targets)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
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
        case ast.Name() | ast.Attribute() | ast.Call():
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
    """Return what some function in a body other than a constructor binds to a constant that outlives it, with that."""
    functions = (each for each in statements(body) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(pair for each in functions if each.name != "__init__" for pair in _kept(each.body))


def _kept(body: Sequence[ast.stmt]) -> Iterator[Bound]:
    shared = frozenset(declared_global(body))
    for each in statements(body):
        match each:
            case ast.Assign(targets=targets, value=ast.Constant(value=constant)):
                kept = (target for target in targets if _is_kept(target, shared))
                yield from ((last_name(target), constant) for target in kept)
