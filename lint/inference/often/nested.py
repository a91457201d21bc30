"""Walks parts of a tree: statements without their expressions, which are most of it, and everything in a node."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

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

_LEAVES: Final = frozenset(
    ("arg", "attr", "ctx", "id", "level", "lineno", "module", "op", "ops", "tag", "type_comment")
)
_PARTS: Final[dict[type, tuple[str, ...]]] = {
    kind: tuple(name for name in kind._fields if name not in _LEAVES)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
"""The fields of nodes in which others are looked for."""
_PARTS[ast.Constant] = ()


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
        for name in _PARTS[type(each)]:
            part = getattr(each, name, None)
            if type(part) is list:
                found += [item for item in part if isinstance(item, ast.AST)]
            elif isinstance(part, ast.AST):
                found.append(part)
    return found
