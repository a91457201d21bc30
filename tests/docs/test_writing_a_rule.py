"""docs/writing-a-rule.md, followed to the letter in a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from generate import MANIFESTS

ROOT = Path(__file__).resolve().parent.parent.parent
GUIDE = (ROOT / "docs" / "writing-a-rule.md").read_text()
PACKAGE = ("__init__.py", "__main__.py", "lint", "rules", "examples", "runtime_checker")
COPIED = (*PACKAGE, "docs", "README.md", "tests/docs", "tests/rules", *MANIFESTS)


def written(name: str) -> str:
    """The program that the guide shows right after it names the file."""
    match = re.search(rf"`{re.escape(name)}`[^`]*?:\n\n```python\n(.*?)```", GUIDE, re.DOTALL)
    assert match, name
    return match[1]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository as it is when the guide has been followed."""
    copy = tmp_path_factory.mktemp("copy") / "synclint"
    ignored = shutil.ignore_patterns(".*")
    copy.mkdir()
    for name in COPIED:
        source = ROOT / name
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=ignored)
        else:
            shutil.copy(source, copy / name)
    for name in ("rules/cumsum_call.py", "examples/cumsum-call/hazard.py", "examples/cumsum-call/fixed.py"):
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(written(name))
    facts = copy / "lint" / "facts" / "torch_ops.py"
    row = re.search(r"```python\n(    Wait\(.*?)```", GUIDE, re.DOTALL)
    assert row
    facts.write_text(facts.read_text().replace("SHAPES = (\n", f"SHAPES = (\n{row[1]}", 1))
    return copy


def run(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of the guide, in the copy, whose parent directory is where `synclint` is imported from."""
    env = {**os.environ, "PYTHONPATH": str(copy.parent)}
    return subprocess.run([sys.executable, *words], cwd=copy, env=env, text=True, capture_output=True)


def test_the_rule_reports_its_example(copy: Path) -> None:
    done = run(copy, "-m", "synclint", "examples/cumsum-call/", "--output-format", "concise")
    assert "examples/cumsum-call/hazard.py:19:12: warning: `state.values.cumsum(0)` is an example" in done.stdout
    assert "[SYNC299 cumsum-call]" in done.stdout
    assert "fixed.py" not in done.stdout


def test_running_the_example_shows_that_nothing_waits(copy: Path) -> None:
    done = run(copy, "-m", "synclint", "verify", "SYNC299", "--device", "simulated")
    assert done.returncode == 1
    assert "disagrees" in done.stdout


def test_the_page_and_the_tests_follow(copy: Path) -> None:
    assert run(copy, "tests/docs/generate.py").returncode == 0
    assert "| SYNC299 | [cumsum-call](docs/rules/cumsum-call.md) | `cumsum` adds up" in (copy / "README.md").read_text()
    assert "`cumsum` | is an example | where it can be looked up" in (copy / "docs/rules/cumsum-call.md").read_text()
    files = ("tests/rules/test_pages.py", "tests/rules/test_examples.py", "tests/docs/test_generated.py")
    done = run(copy, "-m", "pytest", "-p", "no:cacheprovider", "-k", "SYNC299 or cumsum or out_of_date", *files)
    assert done.returncode == 0, done.stdout
