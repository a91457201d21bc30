"""`--show-files` and `--show-settings` say what a run would be about, and run nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.settings.files import read_settings

Command = Callable[..., Any]


@pytest.fixture
def project(here: Path) -> Path:
    (here / "sub").mkdir()
    (here / "pyproject.toml").write_text(
        '[tool.synclint]\nselect = ["SYNC1"]\nexclude = ["old/"]\nfail-on = "never"\nmin-confidence = "certain"\n'
        '[tool.synclint.severity]\nSYNC102 = "off"\n[tool.synclint.per-file-ignores]\n"tests/é\\u007f*" = ["SYNC1"]\n'
    )
    (here / "sub/synclint.toml").write_text('torch = "2.6"\n')
    (here / "requirements.txt").write_text("torchmetrics>=1.7\n")
    for name in ("a.py", "sub/b.py", "old.txt"):
        (here / name).write_text("import torch\nwait_101()\n")
    return here


def test_files(synclint_command: Command, project: Path) -> None:
    outcome = synclint_command("check", "--show-files")
    assert (outcome.code, outcome.out.split()) == (0, ["a.py", str(Path("sub/b.py"))])


def test_a_missing_file(synclint_command: Command, project: Path) -> None:
    outcome = synclint_command("check", "--show-files", "gone.py")
    assert outcome.code == 2
    assert "gone.py" in outcome.err


def test_settings_are_those_of_a_configuration_file(synclint_command: Command, project: Path) -> None:
    outcome = synclint_command("check", "--show-settings")
    assert outcome.code == 0
    own, sub = outcome.out.split("\n\n")
    assert own.startswith(f"# 1 file; patterns are relative to {project}")
    assert 'torchmetrics = ""  # required: torchmetrics>=1.7' in own
    assert 'torch = "2.6"' in sub
    (project / "shown.toml").write_text(own, encoding="utf-8")
    shown, real = (read_settings(project / name) for name in ("shown.toml", "pyproject.toml"))
    assert shown == real


def test_settings_of_the_command_line_are_in_them(synclint_command: Command, project: Path) -> None:
    outcome = synclint_command("check", "--show-settings", "--fail-on", "error", "--exclude", "x", "a.py")
    assert 'fail-on = "error"' in outcome.out
    assert 'exclude = ["old/", "x"]' in outcome.out
