"""The values of names without the file's own definitions: imports, their aliases, builtins."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator

from ...facts import libraries
from ..values.union import UNKNOWN, Class, Function, Module, Value
from .access import of_module

BUILTINS: dict[str, Value] = {
    name: Class(name)
    if isinstance(getattr(builtins, name), type) and name.endswith(("Error", "Exception"))
    else Function(name)
    for name in dir(builtins)
    if not name.startswith("_")
}


def imported(node: ast.Import | ast.ImportFrom, find: Callable[[str], str]) -> Iterator[tuple[str, Value]]:
    """Yield the names that an import statement binds; a star import binds `*` to its module.

    `find` returns the full name that an import refers to, as it is written there.
    """
    if isinstance(node, ast.Import):
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            yield alias.asname or name, Module(libraries.CANONICAL.get(name) or find(name))
        return
    base = "." * node.level + (node.module or "")
    for alias in node.names:
        if alias.name == "*":
            yield "*", Module(find(base))
        else:
            full = f"{base}.{alias.name}" if node.module else f"{base}{alias.name}"
            yield alias.asname or alias.name, _canonical(*(find(full) or alias.name).rpartition(".")[::2])


def _canonical(base: str, name: str) -> Value:
    return of_module(Module(libraries.CANONICAL.get(base, base)), name) if base else Module(name)


def builtin(name: str) -> Value:
    """Return the builtin with that name, or Unknown."""
    return BUILTINS.get(name, UNKNOWN)
