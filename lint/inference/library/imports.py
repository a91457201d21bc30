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


def imported(
    node: ast.Import | ast.ImportFrom, module: str, is_package: bool, find: Callable[[str], str]
) -> Iterator[tuple[str, Value]]:
    """Yield the names that an import statement of `module` binds; a star import binds `*` to its module.

    `find` returns the full name that an absolute import refers to.
    """
    if isinstance(node, ast.Import):
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            yield alias.asname or name, Module(libraries.CANONICAL.get(name) or find(name))
        return
    base = absolute(node.module or "", node.level, module, is_package)
    for alias in node.names:
        if alias.name == "*":
            yield "*", Module(base if node.level else find(base))
        else:
            full = f"{base}.{alias.name}" if base else alias.name
            yield alias.asname or alias.name, _canonical(*(full if node.level else find(full)).rpartition(".")[::2])


def _canonical(base: str, name: str) -> Value:
    return of_module(Module(libraries.CANONICAL.get(base, base)), name) if base else Module(name)


def absolute(name: str, level: int, module: str, is_package: bool) -> str:
    """Return the dotted name that a relative import of `module` refers to."""
    if level == 0:
        return name
    parts = module.split(".")
    keep = len(parts) - level + (1 if is_package else 0)
    base = ".".join(parts[:keep]) if keep > 0 else ""
    return f"{base}.{name}" if base and name else base or name


def builtin(name: str) -> Value:
    """Return the builtin with that name, or Unknown."""
    return BUILTINS.get(name, UNKNOWN)
