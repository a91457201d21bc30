"""The parameters of a function as they are written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from .nested import nodes, statements, targets

NEVER: Final = 1 << 30


def written(args: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """Yield each parameter with its default, None if it has none; `*args` and `**kwargs` are left out."""
    plain = [*args.posonlyargs, *args.args]
    without = len(plain) - len(args.defaults)
    yield from ((each, None) for each in plain[:without])
    yield from zip(plain[without:], args.defaults)
    yield from zip(args.kwonlyargs, args.kw_defaults)


def defaults(args: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names of the parameters that have a default, with it."""
    yield from ((each.arg, default) for each, default in written(args) if default is not None)


def rebound(node: ast.FunctionDef | ast.AsyncFunctionDef, in_expressions: bool = True) -> dict[str, int]:
    """Return the parameters of a function, each with the first row that binds it anew; `NEVER` if none does.

    Names are bound `in_expressions`, too, if the file has a `:=`; else it is enough to look at statements.
    """
    found = {each.arg: NEVER for each, _ in written(node.args)}
    parts = [node] if in_expressions else [target for each in statements(node.body) for target in targets(each)]
    for each in (name for part in parts for name in nodes(part)):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id in found:
            found[each.id] = min(found[each.id], each.lineno)
    return found
