"""Conditions under which something missing is created, so that it is created once."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from ...facts import modules
from .gates import last_name
from .states import asked_for


def made_once(test: ast.expr, holds: bool, code: Sequence[ast.stmt]) -> str | None:
    """Return why code that runs if a condition holds, or does not, runs once; None if it may run again.

    It creates what the condition finds missing (`if self.x is None: self.x = …`, `if hasattr(self, "x"): return`), of
    another shape or still as it was filled (`if self.x[0] == 0: self.x = …`), or records what it was created for, `if
    self.size != size: self.size = size`.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return made_once(operand, not holds, code)
        case ast.BoolOp(op=op, values=[first, *others]) if isinstance(op, ast.Or) is holds:
            if _allows_keeping(first):  # that anything is kept at all is usual
                inner = [part for each in code for part in (each.body if _asks(each, first) else [each])]
                return made_once(others[0], holds, inner)
            return made_once(first, holds, code)
        case (
            ast.Compare(left=ast.Attribute() as kept, ops=[op], comparators=[ast.Name() as wanted])
            | ast.Compare(left=ast.Name() as wanted, ops=[op], comparators=[ast.Attribute() as kept])
        ):
            changed = isinstance(op, ast.NotEq if holds else ast.Eq) and any(
                _binds(each, kept, wanted) for each in code
            )
            return f"only when `{kept.attr}` has changed" if changed else None
    missing = _missing(test, holds)
    if missing is not None and any(missing.strip("_") in part.strip("_") for each in code for part in _makes(each)):
        return f"only until `{missing}` exists"
    return None


def _allows_keeping(test: ast.expr) -> bool:
    """Whether a condition is a flag that lets results be kept: `cache`, `self.use_cache`."""
    return isinstance(test, ast.Name | ast.Attribute) and "cach" in last_name(test).lower()


def _asks(statement: ast.stmt, test: ast.expr) -> TypeGuard[ast.If]:
    """Whether a statement runs where this very condition holds."""
    return isinstance(statement, ast.If) and ast.unparse(statement.test) == ast.unparse(test)


def _missing(test: ast.expr, holds: bool) -> str | None:
    """Return the attribute that is missing, or not as it should be, if a condition holds or does not."""
    if (asked := asked_for(test)) is not None:
        return _asked(asked[0]) if asked[1] is holds else None
    match test:
        case ast.Call(func=ast.Name(id="hasattr"), args=[_, ast.Constant(value=str() as name)]):
            return None if holds else name
        case ast.Compare(left=left) if holds and (sized := _shape_of(left)) is not None:
            return sized
        case ast.Compare(
            left=ast.Subscript(value=ast.Attribute(attr=name)), ops=[ast.Eq()], comparators=[ast.Constant(value=0)]
        ):
            return name if holds else None  # as it is until it is computed
    return None


def _asked(node: ast.expr) -> str | None:
    """Return the attribute that an expression reads, even by `getattr(self, "x", None)`."""
    match node:
        case ast.Attribute(attr=name):
            return name
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str() as name), ast.Constant()]):
            return name
    return None


def _shape_of(node: ast.expr) -> str | None:
    """Return the attribute whose shape is read: `x` of `self.x.shape[0]`, `self.x.size(0)`, `len(self.x)`."""
    match node:
        case ast.Subscript(value=value):
            return _shape_of(value)
        case ast.Attribute(value=ast.Attribute(attr=name), attr="shape"):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr="size" | "numel")):
            return name
        case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(attr=name)]):
            return name
    return None


def _binds(statement: ast.stmt, attribute: ast.Attribute, value: ast.Name) -> bool:
    """Whether the statement binds the attribute to the value of the name."""
    match statement:
        case ast.Assign(targets=[ast.Attribute(attr=attribute.attr)], value=ast.Name(id=value.id)):
            return True
    return False


def _makes(statement: ast.stmt) -> Iterator[str]:
    """Yield the attributes that a statement binds, and the methods it calls."""
    match statement:
        case ast.Assign(targets=bound):
            parts = [part for each in bound for part in (each.elts if isinstance(each, ast.Tuple) else [each])]
            yield from (part.attr for part in parts if isinstance(part, ast.Attribute))
        case ast.AnnAssign(target=ast.Attribute(attr=name)):
            yield name
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=method), args=[ast.Constant(value=str() as name), *_])):
            yield name if method in modules.REGISTERING else method
        case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str() as name), _])):
            yield name
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
            yield name
