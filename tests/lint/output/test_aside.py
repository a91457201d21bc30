"""Documentation, examples and copies of other projects, which a report only counts unless they were asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.output.aside import aside


@pytest.mark.parametrize(
    ("given", "file", "is_aside"),
    [
        (".", "examples/train.py", True),
        (".", "pkg/third_party/x/a.py", True),
        (".", "Docs/conf.py", True),
        (".", "usage_examples/a.py", True),
        (".", "external_memory/a.py", False),
        (".", "pkg/examples.py", False),
        (".", "pkg/train.py", False),
        ("examples", "examples/train.py", False),
        ("examples/train.py", "examples/train.py", False),
        ("examples", "examples/docs/a.py", True),
    ],
)
def test_what_is_below_what_was_given(given: str, file: str, is_aside: bool) -> None:
    assert aside([given])(file) is is_aside


def test_what_was_given_too_is_shown() -> None:
    assert not aside([".", "examples"])("examples/train.py")
    assert aside([".", "pkg"])("examples/train.py")


def test_they_are_counted_unless_all_is_asked_for(synclint_command: Callable[..., Any], here: Path) -> None:
    (here / "a.py").write_text("import torch\nmaybe_101()\n")
    (here / "docs").mkdir()
    (here / "docs" / "b.py").write_text("import torch\nwait_101()\n")
    done = synclint_command(".", "--output", "json=out.json")
    assert "docs/b.py" not in done.out
    assert "1 finding (1 error) in docs, examples and vendored code not shown: --show-all." in done.out
    assert "Found 1 error and 1 warning in 2 files." in done.out
    assert done.code == 1
    assert [row["filename"] for row in json.loads(Path("out.json").read_text())] == ["a.py", "docs/b.py"]
    for words in ((".", "--show-all"), ("docs",), (".", "docs")):
        assert "docs/b.py:2:1: error" in synclint_command(*words).out


def test_files_one_by_one(synclint_command: Callable[..., Any], here: Path) -> None:
    for name in "ba":
        (here / f"{name}.py").write_text("import torch\nmaybe_101()\nwait_101()\n")
    titles = [line for line in synclint_command(".", "--group-by", "file").out.splitlines() if line.startswith("==")]
    assert titles == ["== a.py (1 error, 1 warning)", "== b.py (1 error, 1 warning)"]
