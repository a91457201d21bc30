"""The house rules, read from the source: imports point one way, files are short, every rule has its page."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("lint", "rules", "runtime_checker")
LONGEST = 300
PROTOCOL = {
    "lint.commands.server",
    *(f"lint.server.{part}" for part in ("actions", "diagnostics", "positions", "server")),
}
"""Who may import what the language server is made of, an extra that `check` does without."""

LAYERS = {
    "lint.finding": 0,
    "lint.stack": 0,
    "lint.limit": 0,
    "lint.versions": 1,
    "lint.magics": 0,
    "lint.notebook": 1,
    "lint.source": 1,
    "lint.statement": 1,
    "lint.paths": 1,
    "lint.patterns": 1,
    "lint.regular": 0,
    "lint.pins": 2,
    "lint.rewrite": 1,
    "lint.git": 2,
    "lint.baseline": 2,
    "lint.inference.lattice": 1,
    "lint.inference.extent": 1,
    "lint.inference.values": 2,
    "lint.facts": 3,
    "lint.rule": 3,
    "lint.selection": 4,
    "lint.keys": 5,
    "lint.config": 5,
    "lint.configurations": 5,
    "lint.inference": 6,
    "lint.suppress": 7,
    "rules": 8,
    "lint.discovery": 8,
    "lint.stored": 1,
    "lint.file": 8,
    "lint.user_cache": 2,
    "lint.cache_folder": 3,
    "lint.groups": 9,
    "lint.texts": 9,
    "lint.cache": 9,
    "lint.context": 9,
    "lint.project": 10,
    "lint.workers": 11,
    "lint.linked": 11,
    "lint.engine": 12,
    "lint.output": 13,
    "lint.task": 13,
    "lint.report": 14,
    "lint.adoption": 14,
    "lint.budget": 14,
    "lint.ignore_comments": 8,
    "lint.notebook_comments": 9,
    "lint.line_length": 6,
    "lint.add_ignore": 14,
    "lint.check": 15,
    "lint.server": 15,
    "lint.commands": 16,
    "lint.cli": 17,
}
"""A module imports from its own layer and from lower ones; the most precise name counts."""


def sources() -> list[Path]:
    return [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]


def name_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(file: Path, lazy: bool = True) -> Iterator[str]:
    """The modules a file imports, ours without `synclint.`; not those only types need, nor lazy ones if so asked."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for statement in tree.body if not lazy else [tree]:
        for node in _without_type_checking(statement, lazy):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from _targets(file, node)


def _without_type_checking(node: ast.AST, lazy: bool) -> Iterator[ast.AST]:
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    if isinstance(node, ast.FunctionDef) and not lazy:
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _without_type_checking(child, lazy)


def _targets(file: Path, node: ast.ImportFrom) -> Iterator[str]:
    if not node.level:
        yield node.module or ""
        return
    parts = list(file.relative_to(ROOT).parts[: -node.level])
    base = ".".join([*parts, *filter(None, [node.module])])
    for alias in node.names:
        inner = f"{base}.{alias.name}".strip(".")
        is_module = (ROOT / inner.replace(".", "/")).with_suffix(".py").exists() or (
            ROOT / inner.replace(".", "/") / "__init__.py"
        ).exists()
        yield inner if is_module else base


def layer(module: str) -> int | None:
    while module:
        if module in LAYERS:
            return LAYERS[module]
        module = module.rpartition(".")[0]
    return None


@pytest.mark.parametrize("file", sources(), ids=name_of)
def test_imports_point_one_way(file: Path) -> None:
    own = layer(name_of(file))
    if own is None:
        return
    upward = [name for name in imports(file, lazy=False) if (layer(name) or 0) > own]
    assert not upward, f"{name_of(file)} imports {upward}"


@pytest.mark.parametrize("file", sources(), ids=name_of)
def test_lint_and_rules_never_import_torch(file: Path) -> None:
    name = name_of(file)
    if name.startswith("runtime_checker"):
        return
    roots = {each.split(".")[0] for each in imports(file, lazy=not name.startswith("lint.commands."))}
    assert roots.isdisjoint({"torch", "torchmetrics", "numpy", "runtime_checker", "libcst", "rich"})


@pytest.mark.parametrize("file", sources(), ids=name_of)
def test_only_declared_packages_are_imported(file: Path) -> None:
    if name_of(file).startswith("runtime_checker"):
        return
    ours = {"lint", "rules", "runtime_checker", ""}
    allowed = {"click", "packaging", "tomli"} | ours | set(sys.stdlib_module_names)
    if name_of(file) in PROTOCOL:
        allowed |= {"pygls", "lsprotocol"}
    assert {each.split(".")[0] for each in imports(file)} <= allowed


@pytest.mark.parametrize("file", sources(), ids=name_of)
def test_files_are_short(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    generated = any("generated" in line.lower() for line in lines[:5])
    assert generated or len(lines) <= LONGEST


@pytest.mark.parametrize("file", sources(), ids=name_of)
def test_docstrings_open_with_one_sentence(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    text = ast.get_docstring(tree)
    assert text, f"{name_of(file)} has no docstring"
    assert text.split("\n\n")[0].rstrip().endswith((".", ":", "?")), text


def test_the_package_is_imported_once() -> None:
    """pytest must not import the root under the name of the checkout's directory as well."""
    roots = [
        name for name, module in sys.modules.items() if getattr(module, "__file__", None) == str(ROOT / "__init__.py")
    ]
    assert [name for name in roots if name != "synclint"] == []
