"""Folders that a script adds to the path on which Python looks for modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence


def script_paths(text: str, tree: ast.Module) -> tuple[str, ...]:
    """Return the folders that a file adds to `sys.path`, relative to its own, in order: `("../core",)`.

    A file that changes the path, or that is run itself, finds what lies beside it, even inside a package.
    """
    if "sys.path" in text:
        return (*_added(tree.body), ".")
    return (".",) if "__main__" in text else ()


def _added(body: Sequence[ast.stmt]) -> Iterator[str]:
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute(attr="path")), args=[*_, folder])):
                yield from _folder(folder)
            case ast.If(body=inner) | ast.Try(body=inner):
                yield from _added(inner)


def _folder(node: ast.expr) -> Iterator[str]:
    """Yield the folder that an expression names by its constants: `os.path.join(os.path.dirname(__file__), "lib")`."""
    parts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if parts and not any(part.startswith("/") for part in parts):
        yield "/".join(parts)
