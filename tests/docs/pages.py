"""The page of a rule, made of the rule, its facts, its examples and its evidence."""

from __future__ import annotations

import ast
import difflib
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from synclint.lint.config import Settings
from synclint.lint.engine import run
from synclint.lint.evidence import sentences
from synclint.lint.facts import torch_ops
from synclint.lint.file import File
from synclint.lint.finding import Finding, Kind
from synclint.lint.output.text import one_line
from synclint.lint.rule import Rule

ROOT = Path(__file__).resolve().parent.parent.parent
FACTS = f"{torch_ops.__name__.rpartition('.')[0]}."
EXPECTED = re.compile(r"\s*# expect: .*")
MARK = "<!-- Made by tests/docs/generate.py from the rule, its facts and its examples; edit those. -->"
KINDS = {
    Kind.STALL: "*stall*: the host waits for the device",
    Kind.BUG: "*bug*: a wrong value or an exception, wherever it stands",
    Kind.SETUP: "*setup*: what is configured here waits later, as often as it is used",
    Kind.META: "about the linting itself; always a warning",
}


def page(rule: Rule) -> str:
    """The page of a rule in Markdown."""
    _, instead, *details = rule.page.split("\n\n")
    parts = [f"# {rule.code} {rule.name}", MARK, _plain(rule.title), facts_about(rule), f"## Instead\n\n{instead}"]
    if details:
        parts.append("## In detail, and what is not reported\n\n" + "\n\n".join(details))
    if rule.kind is not Kind.META:
        parts += [*_why(rule), *_examples(rule)]
    parts.append(_silencing(rule))
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    return " ".join(text.split())


def facts_about(rule: Rule) -> str:
    """What kind of rule it is, whether it runs by itself, on which versions it depends, what has proven it."""
    opt_in = f"no; turn it on with `--extend-select {rule.name}`, or with `extend-select` in the configuration"
    rows = [("Kind", KINDS[rule.kind]), ("On by default", "yes" if rule.default else opt_in)]
    if rule.kind is not Kind.META:
        rows.append(("How loud", "[by how often the line runs and how sure it is](../how-it-knows.md#how-loud)"))
    if versions := sorted(set(_versions(rule))):
        rows.append(("Versions that matter", "; ".join(versions)))
    if rule.kind is not Kind.META:
        rows.append(("Evidence", " ".join(sentences(rule.code)).replace("|", "\\|")))
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {text} |" for name, text in rows)])


def _module(rule: Rule) -> ModuleType:
    return sys.modules[rule.check.__module__]


def _tree(rule: Rule) -> ast.Module:
    return ast.parse(Path(_module(rule).__file__ or "").read_text(encoding="utf-8"))


def _why(rule: Rule) -> Iterator[str]:
    """The facts that the rule looks up, with their sources."""
    rows = list(_rows(rule))
    said = dict.fromkeys(_sources(module) for module in _fact_modules(rule, rows))
    if parts := [*_table(rows), *filter(None, said)]:
        yield "\n\n".join(["## Why it waits", *parts])


def _table(rows: list[Any]) -> list[str]:
    if not rows:
        return []
    lines = ["| Function or method | What it does | Source |", "|---|---|---|"]
    for row in rows:
        names = ", ".join(f"`{name}`" for name in row.names)
        lines += [f"| {names} | {_because(row)} | {row.source} |"]
    return ["\n".join(lines)]


def _because(row: Any) -> str:
    unless = f"; not with {' and '.join(f'`{name}=`' for name in row.unless)}" if row.unless else ""
    needs = f"; only with {' and '.join(f'`{name}=`' for name in row.needs)}" if row.needs else ""
    return f"{row.because}{needs}{unless}{_span(row)}"


def _span(row: Any) -> str:
    since = f"; since torch {row.since}" if row.since else ""
    return since + (f"; before torch {row.until}" if row.until else "")


def _rows(rule: Rule) -> Iterator[Any]:
    """The rows of facts that the rule's source names, each once."""
    names = [name for node in _calls(rule, "waits") for each in node.args for name in _texts(rule, each)]
    own = [item for value in vars(_module(rule)).values() for item in (value if isinstance(value, tuple) else (value,))]
    rows = [*(torch_ops.ROWS[name] for name in names), *(item for item in own if isinstance(item, torch_ops.Wait))]
    yield from dict.fromkeys(rows)


def _calls(rule: Rule, method: str) -> Iterator[ast.Call]:
    for node in ast.walk(_tree(rule)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method:
            yield node


def _texts(rule: Rule, node: ast.expr) -> tuple[str, ...]:
    """The texts that an argument stands for: literally, or by the name of a constant of the module."""
    if isinstance(node, ast.Constant):
        return (node.value,)
    inner = node.value if isinstance(node, ast.Starred) else node
    value = vars(_module(rule)).get(inner.id, ()) if isinstance(inner, ast.Name) else ()
    return (value,) if isinstance(value, str) else value


def _fact_modules(rule: Rule, rows: list[Any]) -> Iterator[ModuleType]:
    if any(row in torch_ops.ROWS.values() for row in rows):
        yield torch_ops
    for node in ast.walk(_tree(rule)):
        if isinstance(node, ast.ImportFrom) and ".facts." in f".{node.module}.":
            yield sys.modules[FACTS + (node.module or "").rpartition(".")[2]]


def _sources(module: ModuleType) -> str:
    """The sentence of a table's docstring that says how its rows are known."""
    paragraphs = (module.__doc__ or "").strip().split("\n\n")
    paragraph = next((each for each in paragraphs if each.startswith("Source")), "")
    return re.split(r"(?<=\.)\s+(?=[A-Z])", paragraph)[0]


def _versions(rule: Rule) -> Iterator[str]:
    """The versions of libraries at which the rule's answer changes."""
    for node in _calls(rule, "may_be"):
        library = next(iter(_texts(rule, node.args[0])), "")
        bounds = dict(zip(("since", "until"), node.args[1:])) | {each.arg: each.value for each in node.keywords}
        for name, value in bounds.items():
            yield from (f"{library} {'≥' if name == 'since' else '<'} {text}" for text in _texts(rule, value))
    for row in _rows(rule):
        yield from (f"torch {sign} {text}" for sign, text in (("≥", row.since), ("<", row.until)) if text)


def _examples(rule: Rule) -> Iterator[str]:
    hazard, fixed = (ROOT / "examples" / rule.name / name for name in ("hazard.py", "fixed.py"))
    shown = "\n".join(map(one_line, found_in(hazard, rule)))
    links = " to ".join(f"[{each.name}](../../{each.relative_to(ROOT).as_posix()})" for each in (hazard, fixed))
    yield f"## Example\n\nFrom {links}:\n\n```diff\n{_change(hazard, fixed)}\n```"
    if shown:
        yield f"What is said about `hazard.py`:\n\n```text\n{shown}\n```"


def found_in(file: Path, rule: Rule, text: str = "") -> tuple[Finding, ...]:
    """What one rule finds in a file of the repository, or in a text that takes its place."""
    name = file.relative_to(ROOT).as_posix()
    data = text.encode() or file.read_bytes()
    result = run([File(name, named=True, data=data)], Settings(), [rule], jobs=1)
    assert not result.failures, result.failures[0].trace
    return result.findings


def _change(hazard: Path, fixed: Path) -> str:
    """What differs from the imports on, without the marks for tests."""
    before, after = (list(_program(file)) for file in (hazard, fixed))
    lines = difflib.unified_diff(before, after, n=3, lineterm="")
    return "\n".join("@@" if line.startswith("@@") else line.rstrip() for line in list(lines)[2:]).rstrip()


def _program(file: Path) -> Iterable[str]:
    text = file.read_text(encoding="utf-8")
    start = ast.parse(text).body[1].lineno - 1
    return (EXPECTED.sub("", line) for line in text.splitlines()[start:])


def _silencing(rule: Rule) -> str:
    lines = silenced(rule)
    text = f"```python\n{lines}\n```\n\n" if lines else ""
    return (
        f"## Where it is meant\n\n{text}For whole files or directories, see `per-file-ignores`; for the whole project, "
        f'`ignore = ["{rule.name}"]` ([configuration](../configuration.md)).'
    )


def silenced(rule: Rule) -> str:
    """The first line of the example that is reported, with a suppression; empty for rules without example."""
    hazard = ROOT / "examples" / rule.name / "hazard.py"
    if rule.kind is Kind.META or not hazard.is_file():
        return ""
    marked = (line for line in hazard.read_text(encoding="utf-8").splitlines() if f"# expect: {rule.code}" in line)
    line = next(marked, "")
    return f"{EXPECTED.sub('', line).strip()}  # synclint: ignore[{rule.code}] the reason why" if line else ""
