"""What a change hides from a search is told, if git tracks it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

Command = Callable[..., Any]


@pytest.fixture
def repo(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that tracks `a.py`, `build/b.py` and `c.py`, which a gitignore file leaves out."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    (here / "build").mkdir()
    for name in ("a.py", "build/b.py", "c.py"):
        (here / name).write_text("import torch\nx = wait_101()\n")
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "add", "."], check=True)
    (here / ".gitignore").write_text("c.py\n")
    return here


def test_tracked_files_that_are_left_out_are_told(synclint_command: Command, repo: Path) -> None:
    outcome = synclint_command(".")
    assert outcome.code == 1
    assert "b.py" not in outcome.out
    assert "c.py" not in outcome.out
    advice = "name them to check them, or list them under `exclude`"
    assert outcome.err == f"not checked, though git tracks 2 files: build/b.py, c.py; {advice}\n"
    assert synclint_command(".", "--quiet").err == ""


def test_named_ones_that_a_hook_leaves_out_as_well(synclint_command: Command, repo: Path) -> None:
    assert "git tracks 1 file: c.py;" in synclint_command("c.py", "--force-exclude").err
    assert "c.py:2:5" in synclint_command("c.py").out


def test_what_settings_exclude_is_not(synclint_command: Command, repo: Path) -> None:
    (repo / "synclint.toml").write_text('exclude = ["build/", "c.py"]\n')
    assert synclint_command(".").err == ""


def test_nor_what_git_does_not_track(synclint_command: Command, repo: Path) -> None:
    subprocess.run(["git", "rm", "-q", "--cached", "build/b.py", "c.py"], check=True)
    assert synclint_command(".").err == ""


def test_many_are_counted_and_their_names_escaped(synclint_command: Command, repo: Path) -> None:
    for number in range(9):
        (repo / f"build/\r::error::{number}.py").write_text("")
    subprocess.run(["git", "add", "--force", "build"], check=True)
    told = synclint_command(".").err
    assert "git tracks 11 files" in told
    assert "8 more" in told
    assert "\r" not in told


def test_without_git_nothing_is_told(synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    outcome = synclint_command(".")
    assert (outcome.code, outcome.err) == (1, "")
