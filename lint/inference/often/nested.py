"""Walks parts of a tree: statements without their expressions, which are most of it, and everything in a node."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ...files.parts import PARTS

BLOCKS: Final[dict[type[ast.AST], tuple[str, ...]]] = {
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.With, ast.AsyncWith), ("body",)),
    **dict.fromkeys((ast.If, ast.For, ast.AsyncFor, ast.While), ("body", "orelse")),
    **dict.fromkeys((ast.ExceptHandler, ast.match_case), ("body",)),
    ast.Try: ("body", "handlers", "orelse", "finalbody"),
    ast.Match: ("cases",),
}
"""The fields of nodes that contain statements."""
if hasattr(ast, "TryStar"):
    BLOCKS[ast.TryStar] = BLOCKS[ast.Try]


def declared_global(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield the names of the module that statements say they bind."""
    for each in statements(body):
        if isinstance(each, ast.Global):
            yield from each.names


def statements(body: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """Yield the statements of a body and of all blocks nested in it, also in functions, in no particular order."""
    todo = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.stmt):
            yield node
        for block in BLOCKS.get(type(node), ()):
            todo += getattr(node, block)


def nodes(node: ast.AST) -> list[ast.AST]:
    """Return a node and all that are in it, in the order of `ast.walk`, which takes several times as long.

    Operators and contexts are left out: there is one for each name.
    """
    found = [node]
    for each in found:  # which grows meanwhile
        for name in PARTS[type(each)]:
            part = getattr(each, name, None)
            if type(part) is list:
                has_others = part and (None in part or type(part[0]) is str)
                found += [item for item in part if isinstance(item, ast.AST)] if has_others else part
            elif isinstance(part, ast.AST):
                found.append(part)
    return found


def targets(statement: ast.stmt) -> Sequence[ast.expr]:
    """Return what a statement binds: names, attributes, items, tuples of them."""
    match statement:
        case ast.Assign():
            return statement.targets
        case ast.AugAssign() | ast.AnnAssign() | ast.For() | ast.AsyncFor():
            return (statement.target,)
        case ast.With() | ast.AsyncWith():
            return [item.optional_vars for item in statement.items if item.optional_vars is not None]
    return ()


def bound_by(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement itself binds, but not those that the statements in it do."""
    blocks = BLOCKS.get(type(statement), ())
    for name, part in ast.iter_fields(statement):
        for each in part if isinstance(part, list) and name not in blocks else [part]:
            for node in nodes(each) if isinstance(each, ast.AST) else ():
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id
