"""How many passes loops have: one that ends at once, one for each part of a whole."""

from __future__ import annotations

import ast
from typing import Final

from ...limits import SMALLEST

ELSEWHERE: Final = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
"""What is inside of these is no part of the loop around them."""


def ends_at_once(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether a loop's first pass is its last: `for batch in loader: show(batch); break`."""
    return isinstance(loop.body[-1], ast.Break | ast.Return) and not any(map(_goes_on, loop.body))


def _goes_on(node: ast.AST) -> bool:
    """Whether there is a `continue`, of this loop."""
    if isinstance(node, ast.Continue):
        return True
    return not isinstance(node, ELSEWHERE) and any(map(_goes_on, ast.iter_child_nodes(node)))


def goes_by_parts(iterable: ast.expr) -> bool:
    """Whether a loop has a pass for each part of a whole, which may be one: `range(0, len(x), chunk_size)`."""
    match iterable:
        case ast.Call(func=ast.Name(id="range" | "trange"), args=[_, _, ast.Constant(value=int(size))]):
            return size >= SMALLEST
        case ast.Call(func=ast.Name(id="range" | "trange"), args=[_, _, size]):
            return isinstance(size, ast.Name | ast.Attribute)
        case ast.Call(func=ast.Name(id="enumerate" | "tqdm"), args=[inner, *_]):
            return goes_by_parts(inner)
    return False
