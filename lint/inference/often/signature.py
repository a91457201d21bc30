"""The parameters of a function as they are written."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .nested import nodes


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


def kept(node: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """Return the parameters of a function that stay what they are: nothing in its body binds them anew."""
    given = {each.arg for each, _ in written(node.args)}
    bound = {each.id for each in nodes(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return frozenset(given - bound)
