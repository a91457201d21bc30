"""Which value a name has without the file's own definitions: imports, their aliases, builtins."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from ..facts import libraries
from .access import attribute
from .values import UNKNOWN, Class, Function, Module, Value

BUILTINS: dict[str, Value] = {
    name: Class(name)
    if isinstance(getattr(builtins, name), type) and name.endswith(("Error", "Exception"))
    else Function(name)
    for name in dir(builtins)
    if not name.startswith("_")
}


def imported(node: ast.Import | ast.ImportFrom, module: str, is_package: bool) -> Iterator[tuple[str, Value]]:
    """The names that an import statement of `module` binds. A star import binds `*` to its module."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            yield alias.asname or name, Module(libraries.CANONICAL.get(name, name))
        return
    base = absolute(node.module or "", node.level, module, is_package)
    for alias in node.names:
        full = f"{base}.{alias.name}" if base else alias.name
        if alias.name == "*":
            yield "*", Module(base)
        else:
            yield alias.asname or alias.name, _canonical(base, alias.name, full)


def _canonical(base: str, name: str, full: str) -> Value:
    return attribute(Module(libraries.CANONICAL.get(base, base)), name) if base else Module(full)


def absolute(name: str, level: int, module: str, is_package: bool) -> str:
    """The dotted name that a relative import of `module` means."""
    if level == 0:
        return name
    parts = module.split(".")
    keep = len(parts) - level + (1 if is_package else 0)
    base = ".".join(parts[:keep]) if keep > 0 else ""
    return f"{base}.{name}" if base and name else base or name


def builtin(name: str) -> Value:
    """The builtin of that name, or Unknown."""
    return BUILTINS.get(name, UNKNOWN)
