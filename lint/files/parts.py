"""The fields of a tree's nodes in which others are looked for."""

from __future__ import annotations

import ast
from typing import Final

_LEAVES: Final = frozenset(
    ("arg", "attr", "ctx", "id", "level", "lineno", "module", "op", "ops", "tag", "type_comment")
)
PARTS: Final[dict[type[ast.AST], tuple[str, ...]]] = {
    kind: tuple(name for name in kind._fields if name not in _LEAVES)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
"""The fields by the type of a node, without operators and contexts: there is one for each name."""
PARTS[ast.Constant] = ()
