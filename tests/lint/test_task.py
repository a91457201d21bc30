"""What a run is about: named and found files, and runs that have nothing to say."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def files(here: Path) -> Path:
    (here / "pyproject.toml").touch()
    for name, text in (("plain", "print(1)\n"), ("broken", "print(\n"), ("error", "import torch\nwait_101()\n")):
        (here / f"{name}.py").write_text(text)
    (here / "bytes.py").write_bytes(b"# \xff\n")
    return here


def test_a_file_named_under_force_exclude_is_as_one_that_was_found(synclint_command: Command, files: Path) -> None:
    assert "SYNC902" in synclint_command("broken.py").out
    assert "broken.py" not in synclint_command(".").out
    assert synclint_command("broken.py", "--force-exclude").code == 0
    assert synclint_command("error.py", "--force-exclude").code == 1


def test_a_file_that_is_no_text_has_something_to_say(synclint_command: Command, files: Path) -> None:
    assert "bytes.py:1:3: warning" in synclint_command("bytes.py", "--force-exclude", "--output-format=concise").out
    assert synclint_command("gone.py", "--force-exclude").code == 2


def test_the_project_is_read_only_where_it_can_matter(
    synclint_command: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Any] = []
    monkeypatch.setattr("synclint.lint.task.context", lambda given, settings: read.append(given) or [])
    assert synclint_command("plain.py", "--force-exclude").code == 0
    assert not read
    assert not list(Path(os.environ["XDG_CACHE_HOME"]).iterdir())
    synclint_command("plain.py", "error.py", "--force-exclude")
    assert read


def test_wrong_names_of_rules_are_told_all_the_same(synclint_command: Command, files: Path) -> None:
    assert synclint_command("plain.py", "--force-exclude", "--ignore", "NOPE").code == 2


def test_the_baseline_forgets_a_file_that_cannot_matter_any_more(synclint_command: Command, files: Path) -> None:
    synclint_command("error.py", "--write-baseline")
    (files / "error.py").write_text("print(1)\n")
    synclint_command("error.py", "--force-exclude", "--prune-baseline")
    assert "error.py" not in (files / ".synclint-baseline.json").read_text()


def test_no_rule_is_imported_for_nothing(files: Path) -> None:
    program = (
        "import sys\nfrom synclint.lint.cli import cli\n"
        "cli.main(sys.argv[1:], prog_name='synclint', standalone_mode=False)\n"
        "print(sum(name.startswith(('synclint.rules.', 'synclint.lint.inference.')) for name in sys.modules))\n"
    )
    for file, few in (("plain.py", True), ("error.py", False)):
        words = [sys.executable, "-c", program, "check", "--force-exclude", file]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        assert (int(done.stdout.split()[-1]) == 0) is few
