"""The house rules, read from the source: imports point one way, files are short, every rule has its page."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

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

OPEN = {"lint.home", "lint.limits"}
"""What every room may import."""

ARROWS = {
    "lint.plain": "",
    "lint.offers": "lint.plain",
    "lint.home": "",
    "lint.measured": "lint.plain",
    "lint.finding": "lint.measured lint.offers lint.plain",
    "lint.bounds": "",
    "lint.limits": "",
    "lint.lattice": "lint.finding lint.plain",
    "lint.regex": "",
    "lint.severity": "lint.finding",
    "lint.rule": "lint.finding lint.offers lint.severity",
    "lint.declared": "lint.rule",
    "lint.evidence": "",
    "lint.fields": "lint.files",
    "lint.files": "lint.bounds lint.finding lint.offers lint.regex",
    "lint.store": "lint.files lint.regex",
    "lint.plugins": "lint.declared lint.finding lint.rule",
    "lint.measurements": "lint.fields lint.files lint.finding lint.measured lint.plain lint.store",
    "lint.settings": "lint.declared lint.files lint.finding lint.plugins lint.regex lint.rule",
    "lint.suppression": "lint.files lint.finding lint.plugins lint.regex lint.rule lint.settings",
    "lint.facts": "lint.finding lint.lattice",
    "lint.inference.values": "lint.facts lint.finding lint.lattice lint.plain lint.regex",
    "lint.inference.often": "lint.facts lint.files lint.finding lint.plain lint.regex values",
    "lint.inference.library": "lint.declared lint.facts lint.finding lint.lattice lint.regex values",
    "lint.inference.notes": "lint.declared lint.facts lint.files lint.finding lint.offers lint.plain lint.regex "
    "lint.rule lint.settings values often",
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
    "lint.inference.explain": "lint.declared lint.facts lint.files lint.finding lint.lattice lint.settings values "
    "often notes reading linking index state",
    "lint.operations": "lint.lattice values notes views",
    "rules": "lint.facts lint.files lint.finding lint.measurements lint.offers lint.operations lint.rule "
    "lint.suppression",
    "lint.run": "lint.bounds lint.declared lint.files lint.finding lint.offers lint.plugins lint.rule lint.settings "
    "lint.store lint.suppression",
    "lint.output": "lint.facts lint.files lint.finding lint.offers lint.plugins lint.regex lint.rule lint.store",
    "lint.options": "",
    "lint.task": "lint.declared lint.files lint.finding lint.options lint.output lint.rule lint.run lint.settings "
    "lint.store",
    "lint.report": "lint.finding lint.offers lint.options lint.output lint.run lint.task",
    "lint.fix": "lint.files lint.finding lint.offers lint.options lint.output lint.plugins lint.run lint.settings "
    "lint.severity lint.store lint.suppression lint.task",
    "lint.adoption": "lint.files lint.finding lint.output lint.run lint.settings lint.severity lint.store "
    "lint.suppression lint.task",
    "lint.joined": "lint.fields lint.files lint.finding lint.measured lint.measurements lint.output lint.run "
    "lint.severity lint.suppression lint.task",
    "lint.shown": "lint.finding lint.output lint.settings lint.task",
    "lint.watch": "lint.output lint.run lint.settings",
    "lint.check": "lint.joined lint.files lint.finding lint.offers lint.options lint.output lint.report lint.run "
    "lint.settings lint.severity lint.task",
    "lint.distributed": "lint.check lint.files lint.finding lint.fix lint.options lint.output lint.report lint.run "
    "lint.settings lint.store lint.task",
    "lint.parameters": "",
    "lint.commands": "lint.finding lint.output lint.parameters",
    "lint.cli": "lint.commands lint.finding",
    "lint.server": "lint.adoption lint.fields lint.files lint.finding lint.offers lint.fix lint.inference.explain "
    "lint.joined lint.lattice lint.measurements lint.output lint.run lint.settings lint.store lint.suppression "
    "values reading",
    "runtime_checker": "",
    "runtime_checker.simulated": "runtime_checker",
    "runtime_checker.cuda": "runtime_checker",
    "runtime_checker.verify": "lint.evidence runtime_checker",
    "runtime_checker.trials": "lint.evidence lint.facts runtime_checker runtime_checker.simulated "
    "runtime_checker.verify",
    "runtime_checker.tables": "runtime_checker runtime_checker.trials runtime_checker.verify",
    "runtime_checker.traces": "lint.fields lint.files lint.finding lint.measurements lint.operations lint.output "
    "lint.run lint.settings runtime_checker runtime_checker.cuda",
    "runtime_checker.comparison": "lint.fields lint.finding lint.output runtime_checker runtime_checker.script",
    "runtime_checker.script": "lint.adoption lint.facts lint.fields lint.files lint.finding lint.measurements "
    "lint.offers lint.output lint.plugins lint.rule lint.run lint.settings runtime_checker",
}
"""Room -> the rooms that it may import when it is imported itself; short names are rooms of `lint.inference`."""

SHORT = {name.rpartition(".")[2]: name for name in ARROWS if name.startswith("lint.inference.")}


@dataclass(frozen=True)
class Source:
    """A file of ours, read once for all tests; its imports are those of ours without `synclint.`."""

    name: str
    lines: list[str]
    docstring: str | None
    imports: frozenset[str]
    """Without those that only types need."""

    imports_at_once: frozenset[str]
    """Without those in functions, either."""

    calls: frozenset[str]
    """The last names of what is called."""

    integers: dict[str, str]
    """Integers that names of the module stand for -> the reason below each, else empty."""


@cache
def sources() -> dict[str, Source]:
    """Name -> file of the package."""
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    return {source.name: source for source in map(_read, files)}


def _read(file: Path) -> Source:
    name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    text = file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    every, at_once = (frozenset(_imports(file, tree, lazy)) for lazy in (True, False))
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    calls = frozenset(getattr(each, "attr", getattr(each, "id", "")) for each in called)
    return Source(name, text.splitlines(), ast.get_docstring(tree), every, at_once, calls, dict(_integers(tree)))


def _integers(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names of a module that stand for an integer or a limit, each with the text below it."""
    for statement, below in zip(tree.body, [*tree.body[1:], None]):
        match statement:
            case ast.Assign(targets=[ast.Name(name)], value=value) | ast.AnnAssign(target=ast.Name(name), value=value):
                if value is not None and re.fullmatch(r"Limit\(.*\)|[\d\s<*+-]+", ast.unparse(value)):
                    told = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and below.value.value
                    yield name, told if isinstance(told, str) else ""


def _imports(file: Path, tree: ast.Module, lazy: bool) -> Iterator[str]:
    for node in _without_type_checking(tree, lazy):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from _targets(file, node)


def _without_type_checking(tree: ast.Module, lazy: bool) -> Iterator[ast.AST]:
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.FunctionDef) and not lazy:
            continue
        yield node
        todo += ast.iter_child_nodes(node)


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


def roots(modules: Iterable[str]) -> set[str]:
    """The packages that these modules belong to."""
    return {each.split(".")[0] for each in modules}


def test_rooms_import_what_they_may() -> None:
    offenders = {}
    for name, source in sources().items():
        own = room(name)
        if own is None:
            assert name in ("lint", "lint.inference")
            continue
        allowed = {SHORT.get(each, each) for each in ARROWS[own].split()} | {own}
        if strays := {found for each in source.imports_at_once if (found := room(each))} - allowed - OPEN:
            offenders[name] = strays
    assert offenders == {}


def test_no_rule_imports_another() -> None:
    rules = [source for name, source in sources().items() if room(name) == "rules"]
    assert len(rules) > 1
    assert [source.name for source in rules if "rules" in roots(source.imports)] == []


def test_the_arrows_run_in_no_circle() -> None:
    order = TopologicalSorter({name: {SHORT.get(each, each) for each in ARROWS[name].split()} for name in ARROWS})
    assert len(list(order.static_order())) == len(ARROWS)


def test_no_circle_among_the_modules_that_read_a_file() -> None:
    modules = {name: source.imports for name, source in sources().items() if name.startswith("lint.inference.reading")}
    assert modules.keys() <= set(TopologicalSorter(modules).static_order())


def test_linking_reads_no_trees() -> None:
    """What it works on is data, read in another process or by an earlier run."""
    reached = {name for name in sources() if name.startswith("lint.inference.linking")}
    todo = sorted(reached)
    while todo:
        name = todo.pop()
        found = sources()[name].imports
        assert "ast" not in found, name
        todo += (found & sources().keys()) - reached
        reached |= found


def test_lint_and_rules_never_import_torch() -> None:
    offenders = {}
    for name, source in sources().items():
        if name.startswith("runtime_checker"):
            continue
        met = roots(source.imports_at_once if name.startswith("lint.commands.") else source.imports)
        strays = met & {"torch", "torchmetrics", "numpy", "runtime_checker", "rich"}
        if "libcst" in met and not name.startswith("lint.fix."):
            strays.add("libcst")
        if strays:
            offenders[name] = strays
    assert offenders == {}


def test_only_declared_packages_are_imported() -> None:
    always = {"click", "libcst", "packaging", "tomli", "lint", "rules", "runtime_checker", ""} | sys.stdlib_module_names
    offenders = {}
    for name, source in sources().items():
        extra = {"watchfiles"} if name == "lint.watch" else {"pygls", "lsprotocol"} if name in PROTOCOL else set()
        if name.startswith("lint.output.page"):
            extra = {"jinja2", "markupsafe", "pygments"}
        strays = roots(source.imports) - always - extra
        if strays and not name.startswith("runtime_checker"):
            offenders[name] = strays
    assert offenders == {}


def test_files_are_short() -> None:
    lengths = {name: len(source.lines) for name, source in sources().items() if not _is_generated(source)}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def _is_generated(source: Source) -> bool:
    return any("generated" in line.lower() for line in source.lines[:5])


def test_docstrings_open_with_one_sentence() -> None:
    openings = {name: (source.docstring or "").split("\n\n")[0].rstrip() for name, source in sources().items()}
    assert {name: text for name, text in openings.items() if not text.endswith((".", ":", "?"))} == {}


BOUND = re.compile(r"_?(MOST|LEAST|FEWEST|FEW|MANY|ENOUGH|LARGEST|SMALLEST|LONGEST|DEEPEST|FURTHEST|WIDEST|NEAR)(_|$)")


def test_limits_are_in_one_place() -> None:
    strays = {
        name: found
        for name, source in sources().items()
        if not name.startswith("runtime_checker") and name != "lint.limits"
        if (found := [*filter(BOUND.match, source.integers)])
    }
    assert strays == {}


def test_every_limit_has_a_reason_and_somebody_who_heeds_it() -> None:
    limits = sources()["lint.limits"]
    assert len(limits.integers) > 60
    assert [name for name, reason in limits.integers.items() if not BOUND.match(name) or not reason] == []
    lines = [line for source in sources().values() if source is not limits for line in source.lines]
    assert limits.integers.keys() - _words(lines) == set()
    noted = re.findall(r"(?m)^(\w+): Final = Limit", "\n".join(limits.lines))
    telling = [line for line in lines if re.search(r"\.(met|is_exceeded|first)\(", line)]
    assert noted
    assert set(noted) - _words(telling) == set()


def _words(lines: list[str]) -> set[str]:
    return set(re.findall(r"\w+", "\n".join(lines)))


OPENING = ("open", "open_code", "fdopen", "read_bytes", "read_text", "getline", "getlines", "FileIO")
OPENED = {
    "lint.files.regular": "the one way to open what is checked",
    "lint.adoption.git": "writes copies for git, in a directory of its own",
    "lint.commands.schema": "reads what the package brings",
    "lint.cli": "opens the null device in place of standard streams",
    "lint.commands.server": "writes to the editor",
    "lint.distributed.graph": "writes a graph for ninja",
    "lint.evidence": "reads what the package brings",
    "lint.measurements.writing": "holds the folder that evidence is written to",
    "lint.output.page.page": "reads what the package brings",
    "lint.output.step_summary": "writes where GitHub says",
    "lint.output.targets": "writes reports",
    "lint.plugins.load": "reads the source of plugins that have been imported",
    "lint.run.cache": "reads the source of the package",
    "lint.store.rewrite": "writes, into what it has found to be a regular file",
    "lint.store.unfinished": "the user's cache directory",
    "lint.store.user_cache": "the user's cache directory",
}
"""Which modules open files, and why they are no second way to those of a checked project."""


def test_there_is_one_way_to_open_what_is_checked() -> None:
    """Any other would wait for pipes, follow devices and read without end."""
    opening = {name for name, source in sources().items() if not source.calls.isdisjoint(OPENING)}
    assert {name for name in opening if not name.startswith("runtime_checker")} == set(OPENED)


def test_programs_beside_the_tests_import_what_exists() -> None:
    """Nothing else would notice, since they are run by hand."""
    tools = [file for folder in ("benchmarks", "fuzz") for file in sorted((ROOT / "tests" / folder).rglob("*.py"))]
    asked = {
        (node.module, alias.name)
        for file in tools
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("synclint") and not node.level
        for alias in node.names
    }
    assert asked
    assert [f"{module}.{name}" for module, name in sorted(asked) if not _exists(module, name)] == []


def _exists(module: str, name: str) -> bool:
    try:
        return hasattr(importlib.import_module(module), name) or bool(importlib.util.find_spec(f"{module}.{name}"))
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("synclint"):
            raise
        return False


def test_tests_that_import_torch_are_skipped_where_it_is_missing() -> None:
    """Collecting them would fail there, and with it all others."""
    texts = {file: file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py")}
    trees = {file: ast.parse(text) for file, text in texts.items() if re.search(r"(?m)^(import|from) torch", text)}
    assert trees
    assert [file.name for file, tree in trees.items() if _imports_torch_first(tree)] == []


def _imports_torch_first(tree: ast.Module) -> bool:
    for statement in tree.body:
        if re.search(r"pytest\.(importorskip\('torch'|skip\(.*allow_module_level)", text := ast.unparse(statement)):
            return False
        if re.match(r"(import|from) (torch|torchmetrics|numpy)\b", text):
            return True
    return False


def test_the_package_is_imported_once() -> None:
    """pytest must not import the root under the name of the checkout's directory as well."""
    roots = [
        name for name, module in sys.modules.items() if getattr(module, "__file__", None) == str(ROOT / "__init__.py")
    ]
    assert [name for name in roots if name != "synclint"] == []
