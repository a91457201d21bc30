"""The house rules, read from the source: imports point one way, files are short, every rule has its page."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("lint", "rules", "runtime_checker")
LONGEST = 300
PROTOCOL = {
    "lint.commands.server",
    *(f"lint.server.{part}" for part in ("actions", "diagnostics", "features", "positions", "server", "texts")),
}
"""Who may import what the language server is made of, an extra that `check` does without."""

READING = (
    "lint.bounds lint.declared lint.facts lint.files lint.finding lint.lattice lint.regex values often library notes"
)
"""What all rooms of reading may import."""

LINKING = "lint.bounds lint.declared lint.facts lint.finding lint.lattice lint.regex values often library notes"
"""What all rooms of linking may import."""

ARROWS = {
    "lint.plain": "",
    "lint.finding": "lint.plain",
    "lint.bounds": "",
    "lint.lattice": "lint.finding lint.plain",
    "lint.regex": "",
    "lint.severity": "lint.finding",
    "lint.rule": "lint.finding lint.severity",
    "lint.declared": "lint.rule",
    "lint.evidence": "",
    "lint.files": "lint.bounds lint.finding lint.regex",
    "lint.store": "lint.files lint.regex",
    "lint.plugins": "lint.declared lint.finding lint.rule",
    "lint.settings": "lint.declared lint.files lint.finding lint.plugins lint.regex lint.rule",
    "lint.suppression": "lint.files lint.finding lint.plugins lint.regex lint.rule lint.settings",
    "lint.facts": "lint.finding lint.lattice",
    "lint.inference.values": "lint.facts lint.finding lint.lattice lint.plain lint.regex",
    "lint.inference.often": "lint.facts lint.files lint.finding lint.plain lint.regex",
    "lint.inference.library": "lint.declared lint.facts lint.finding lint.lattice lint.regex values",
    "lint.inference.notes": "lint.declared lint.facts lint.files lint.finding lint.plain lint.regex lint.rule "
    "lint.settings values often",
    "lint.inference.reading.state": READING,
    "lint.inference.reading.recording": f"{READING} state",
    "lint.inference.reading.places": f"{READING} state recording",
    "lint.inference.reading.conditions": f"{READING} state recording",
    "lint.inference.reading.expressions": f"{READING} state recording places conditions",
    "lint.inference.reading.statements": f"{READING} state recording places conditions expressions",
    "lint.inference.reading": f"{READING} state recording places conditions expressions statements",
    "lint.inference.linking.index": LINKING,
    "lint.inference.linking.resolving": f"{LINKING} index",
    "lint.inference.linking.frequency": f"{LINKING} index resolving",
    "lint.inference.linking.lives": LINKING,
    "lint.inference.linking.again": f"{LINKING} index lives",
    "lint.inference.linking": f"{LINKING} index resolving frequency lives again",
    "lint.inference.views": "lint.facts lint.finding lint.lattice values library notes lives",
    "lint.inference.explain": "lint.declared lint.files lint.finding lint.lattice lint.settings values often notes "
    "reading linking index state",
    "lint.operations": "lint.lattice values notes views",
    "rules": "lint.facts lint.files lint.finding lint.operations lint.rule lint.suppression",
    "lint.run": "lint.bounds lint.declared lint.files lint.finding lint.plugins lint.rule lint.settings lint.store "
    "lint.suppression",
    "lint.output": "lint.files lint.finding lint.plugins lint.regex lint.rule lint.store",
    "lint.options": "",
    "lint.task": "lint.declared lint.files lint.finding lint.options lint.output lint.rule lint.run lint.settings "
    "lint.store",
    "lint.report": "lint.finding lint.options lint.output lint.run",
    "lint.fix": "lint.files lint.finding lint.options lint.output lint.plugins lint.run lint.settings lint.store "
    "lint.suppression lint.task",
    "lint.adoption": "lint.files lint.finding lint.output lint.run lint.settings lint.store lint.suppression lint.task",
    "lint.shown": "lint.finding lint.output lint.settings lint.task",
    "lint.watch": "lint.output lint.run lint.settings",
    "lint.check": "lint.files lint.finding lint.options lint.output lint.report lint.run lint.settings lint.task",
    "lint.distributed": "lint.check lint.files lint.finding lint.options lint.output lint.report lint.run "
    "lint.settings lint.store lint.task",
    "lint.parameters": "",
    "lint.commands": "lint.finding lint.output lint.parameters",
    "lint.cli": "lint.commands lint.finding",
    "lint.server": "lint.adoption lint.files lint.finding lint.fix lint.inference.explain lint.lattice lint.output "
    "lint.run lint.settings lint.store lint.suppression values reading",
    "runtime_checker": "",
    "runtime_checker.simulated": "runtime_checker",
    "runtime_checker.cuda": "runtime_checker",
    "runtime_checker.verify": "lint.evidence runtime_checker",
    "runtime_checker.trials": "lint.evidence lint.facts runtime_checker runtime_checker.simulated "
    "runtime_checker.verify",
    "runtime_checker.tables": "runtime_checker runtime_checker.trials runtime_checker.verify",
    "runtime_checker.traces": "lint.files lint.finding lint.operations lint.output lint.run lint.settings "
    "runtime_checker runtime_checker.cuda",
    "runtime_checker.comparison": "lint.output runtime_checker runtime_checker.script",
    "runtime_checker.script": "lint.facts lint.files lint.finding lint.output lint.plugins lint.rule lint.run "
    "lint.settings runtime_checker",
}
"""Room -> the rooms that it may import when it is imported itself; short names are rooms of `lint.inference`."""

SHORT = {name.rpartition(".")[2]: name for name in ARROWS if name.startswith("lint.inference.")}


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


def room(module: str) -> str | None:
    """The room a module stands in; None for what is not ours, and for the package itself."""
    if module == "lint.inference.values.lattice":
        return "lint.lattice"  # the words in which facts are told, too
    while module and module not in ARROWS:
        module = module.rpartition(".")[0]
    return module or None


@pytest.mark.parametrize("file", sources(), ids=name_of)
def test_rooms_import_what_they_may(file: Path) -> None:
    own = room(name_of(file))
    if own is None:
        assert name_of(file) in ("lint", "lint.inference")
        return
    allowed = {SHORT.get(name, name) for name in ARROWS[own].split()}
    met = {found for name in imports(file, lazy=False) if (found := room(name)) is not None}
    assert met <= allowed | {own}


@pytest.mark.parametrize("file", sorted((ROOT / "rules").glob("*.py")), ids=name_of)
def test_no_rule_imports_another(file: Path) -> None:
    assert [name for name in imports(file) if name.startswith("rules")] == []


def test_the_arrows_run_in_no_circle() -> None:
    order = TopologicalSorter({name: {SHORT.get(each, each) for each in ARROWS[name].split()} for name in ARROWS})
    assert len(list(order.static_order())) == len(ARROWS)


def test_no_circle_among_the_modules_that_read_a_file() -> None:
    files = sorted((ROOT / "lint" / "inference" / "reading").rglob("*.py"))
    order = TopologicalSorter({name_of(file): set(imports(file)) for file in files})
    assert {name_of(file) for file in files} <= set(order.static_order())


def test_linking_reads_no_trees() -> None:
    """What it works on is data, read in another process or by an earlier run."""
    files = {name_of(file): file for file in sources()}
    reached = {name for name in files if name.startswith("lint.inference.linking")}
    todo = sorted(reached)
    while todo:
        found = set(imports(files[todo.pop()]))
        assert "ast" not in found
        todo += (found & files.keys()) - reached
        reached |= found


@pytest.mark.parametrize("file", sources(), ids=name_of)
def test_lint_and_rules_never_import_torch(file: Path) -> None:
    name = name_of(file)
    if name.startswith("runtime_checker"):
        return
    roots = {each.split(".")[0] for each in imports(file, lazy=not name.startswith("lint.commands."))}
    assert roots.isdisjoint({"torch", "torchmetrics", "numpy", "runtime_checker", "rich"})
    assert "libcst" not in roots or name.startswith("lint.fix.")


@pytest.mark.parametrize("file", sources(), ids=name_of)
def test_only_declared_packages_are_imported(file: Path) -> None:
    if name_of(file).startswith("runtime_checker"):
        return
    ours = {"lint", "rules", "runtime_checker", ""}
    allowed = {"click", "libcst", "packaging", "tomli"} | ours | set(sys.stdlib_module_names)
    if name_of(file) in PROTOCOL:
        allowed |= {"pygls", "lsprotocol"}
    if name_of(file).startswith("lint.output.page."):
        allowed |= {"jinja2", "markupsafe", "pygments"}
    if name_of(file) == "lint.watch":
        allowed |= {"watchfiles"}
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


TOOLS = sorted((ROOT / "tests" / "benchmarks").rglob("*.py")) + sorted((ROOT / "tests" / "fuzz").rglob("*.py"))


@pytest.mark.parametrize("file", TOOLS, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_programs_beside_the_tests_import_what_exists(file: Path) -> None:
    """Nothing else would notice, since they are run by hand."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("synclint") and not node.level:
            module = importlib.import_module(node.module or "")
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                assert hasattr(module, alias.name) or importlib.util.find_spec(name), name


def test_the_package_is_imported_once() -> None:
    """pytest must not import the root under the name of the checkout's directory as well."""
    roots = [
        name for name, module in sys.modules.items() if getattr(module, "__file__", None) == str(ROOT / "__init__.py")
    ]
    assert [name for name in roots if name != "synclint"] == []
