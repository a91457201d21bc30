"""Results that are kept where later calls find them, so that they are computed once per key."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Sequence

from .nested import bound_by, declared_global


def filled(test: ast.expr, holds: bool, code: Sequence[ast.stmt], body: Sequence[ast.stmt]) -> str | None:
    """Return why code runs once: it gives a name of the module that is None a value, as the function's `body` says."""
    match test:
        case ast.Compare(ops=[ast.Is() | ast.IsNot() as op], left=ast.Name(id=name), comparators=[ast.Constant(None)]):
            if isinstance(op, ast.Is) is holds and any(name in bound_by(each) for each in code):
                return f"only until `{name}` exists" if name in declared_global(body) else None
    return None


def memoized(test: ast.expr, holds: bool, code: Sequence[ast.stmt], local: Container[str]) -> str | None:
    """Return why code that runs if a condition holds, or does not, runs once per key; None if it may run again.

    It keeps what it computes in something that outlives the call: `if key not in cache: cache[key] = …`, `if found is
    None: cache[key] = found = …`. `local` are the names of the function itself.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return memoized(operand, not holds, code, local)
        case ast.Compare(ops=[ast.In() | ast.NotIn() as op], comparators=[asked]):
            wanted = ast.unparse(asked).removesuffix(".keys()")
            kept = [each for each, _ in _kept(code, local) if each == wanted]
            return _words(kept) if isinstance(op, ast.NotIn) is holds else None
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]):
            name = left.target.id if isinstance(left, ast.NamedExpr) else getattr(left, "id", None)
            kept = [each for each, names in _kept(code, local) if name in names]
            return _words(kept) if isinstance(op, ast.Is) is holds else None
    return None


def _words(kept: Sequence[str]) -> str | None:
    return f"only until `{kept[0]}` holds it" if kept else None


def _kept(code: Sequence[ast.stmt], local: Container[str]) -> Iterator[tuple[str, set[str]]]:
    """Yield what statements store items in, and the names of what they store."""
    for statement in code:
        if not isinstance(statement, ast.Assign):
            continue
        names = {each.id for each in (*statement.targets, statement.value) if isinstance(each, ast.Name)}
        for target in statement.targets:
            if isinstance(target, ast.Subscript) and _outlives(target.value, local):
                yield ast.unparse(target.value), names


def _outlives(node: ast.expr, local: Container[str]) -> bool:
    """Whether something is kept beyond the call: an attribute, or a name of the module, or an item of one."""
    if isinstance(node, ast.Subscript):
        return _outlives(node.value, local)
    return isinstance(node, ast.Attribute) or (isinstance(node, ast.Name) and node.id not in local)
