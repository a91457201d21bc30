"""The map in the package's docstring: it names every module, and a module imports only from those named before it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "lint" / "inference"
MODULES = sorted(file.stem for file in PACKAGE.glob("*.py") if file.stem != "__init__")
NAMED = re.findall(r"`(\w+)[`.]", ast.get_docstring(ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))) or "")


@pytest.mark.parametrize("name", MODULES)
def test_the_map_is_true(name: str) -> None:
    assert NAMED.count(name) == 1
    imported = {each for each in siblings(name) if each in MODULES}
    assert imported <= set(NAMED[: NAMED.index(name)])


def siblings(name: str) -> set[str]:
    """The modules of this package that one of them imports when it runs."""
    tree = ast.parse((PACKAGE / f"{name}.py").read_text("utf-8"))
    nodes = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.level == 1]
    return {part for node in nodes for part in ([node.module] if node.module else [each.name for each in node.names])}
