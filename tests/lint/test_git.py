"""What git is asked, in repositories of every kind, and what is said where it cannot answer."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.git import GitError, changed_rows, commit, contents, repository

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

Command = Callable[..., Any]
HOSTILE = ["spaces in it.py", 'quo"te.py', "tab\there.py", "new\nline.py", "ünï.py", "-dash.py", "*.py", ":(top)a.py"]


def git(*arguments: str, where: Path | str = ".") -> str:
    identity = ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false"]
    allowed = ["-c", "protocol.file.allow=always"]
    command = ["git", *identity, *allowed, *arguments]
    return subprocess.run(command, cwd=where, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repo(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, in which `a.py` waits once."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    git("init", "-q", "-b", "main")
    (here / "a.py").write_text("import torch\nx = wait_101()\n")
    git("add", ".")
    git("commit", "-qm", "first")
    return here


def add(file: Path, line: str = "y = wait_102()\n") -> None:
    file.write_text(file.read_text() + line)


def shown(outcome: Any) -> list[str]:
    return sorted(line.split(": ")[0] for line in outcome.out.splitlines() if "[SYNC" in line)


@pytest.mark.parametrize("option", ["--new-from", "--diff-only"])
def test_a_dirty_tree_and_new_files(synclint_command: Command, repo: Path, option: str) -> None:
    add(repo / "a.py")
    (repo / "staged.py").write_text("import torch\nwait_101()\n")
    git("add", "staged.py")
    (repo / "untracked.py").write_text("import torch\nwait_101()\n")
    for paths in ((".",), (str(repo),)):
        outcome = synclint_command(*paths, option, "main", "--output-format", "concise")
        assert [place.removeprefix(f"{repo}{os.sep}") for place in shown(outcome)] == [
            "a.py:3:5",
            "staged.py:2:1",
            "untracked.py:2:1",
        ]


@pytest.mark.parametrize("option", ["--new-from", "--diff-only"])
def test_what_main_did_since_is_not_the_branchs(synclint_command: Command, repo: Path, option: str) -> None:
    git("checkout", "-qb", "branch")
    git("checkout", "-q", "main")
    (repo / "a.py").write_text("import torch\n")
    git("commit", "-qam", "repaired")
    git("checkout", "-q", "branch")
    assert synclint_command(".", option, "main").code == 0


@pytest.mark.parametrize("option", ["--new-from", "--diff-only"])
def test_names_of_files_that_mean_harm(synclint_command: Command, repo: Path, option: str) -> None:
    for name in HOSTILE:
        (repo / name).write_text("import torch\nx = wait_101()\n")
    git("add", ".")
    git("commit", "-qm", "second")
    assert synclint_command(".", option, "HEAD").code == 0
    for name in HOSTILE:
        add(repo / name)
    places = shown(synclint_command(".", option, "HEAD", "--output-format", "concise"))
    assert len(places) == len(HOSTILE)
    assert all(place.endswith(":3:5") for place in places)


def test_the_repositorys_settings_run_nothing_and_change_nothing(synclint_command: Command, repo: Path) -> None:
    alarm = repo / "alarm.sh"
    alarm.write_text("#!/bin/sh\ntouch alarmed\nexit 1\n")
    alarm.chmod(0o755)
    settings = {
        "core.fsmonitor": str(alarm),
        "diff.external": str(alarm),
        "diff.python.textconv": str(alarm),
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.relative": "true",
        "diff.interHunkContext": "10",
        "color.ui": "always",
        "core.pager": str(alarm),
    }
    (repo / ".gitattributes").write_text("*.py diff=python -text\n")
    for name, value in settings.items():
        git("config", name, value)
    add(repo / "a.py", "\n\n\nz = 1\nw = wait_102()\n")
    (repo / "alarmed").unlink(missing_ok=True)
    for option in ("--new-from", "--diff-only"):
        assert shown(synclint_command(".", option, "main", "--output-format", "concise")) == ["a.py:7:5"]
    assert not (repo / "alarmed").exists()


def test_inside_a_hook(synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/other-index")
    monkeypatch.setenv("GIT_DIFF_OPTS", "--unified=9")
    (repo / "sub").mkdir()
    monkeypatch.chdir(repo / "sub")
    add(repo / "a.py")
    assert shown(synclint_command("../a.py", "--diff-only", "HEAD", "--output-format", "concise")) == ["../a.py:3:5"]


@pytest.mark.parametrize("option", ["--new-from", "--diff-only"])
def test_submodules(
    synclint_command: Command, repo: Path, tmp_path_factory: pytest.TempPathFactory, option: str
) -> None:
    library = tmp_path_factory.mktemp("library")
    git("init", "-q", "-b", "main", where=library)
    (library / "lib.py").write_text("import torch\nx = wait_101()\n")
    git("add", ".", where=library)
    git("commit", "-qm", "library", where=library)
    git("submodule", "-q", "add", str(library), "vendored")
    git("commit", "-qm", "second")
    assert synclint_command(".", option, "HEAD").code == 0
    add(repo / "vendored/lib.py")
    assert shown(synclint_command(".", option, "HEAD", "--output-format", "concise")) == ["vendored/lib.py:3:5"]


def test_a_file_that_moved_without_git_knowing(synclint_command: Command, repo: Path) -> None:
    (repo / "a.py").rename(repo / "b.py")
    assert synclint_command("b.py", "--new-from", "HEAD").code == 0


def test_an_unreadable_file_is_new_only_once(synclint_command: Command, repo: Path) -> None:
    (repo / "bad.py").write_text("import torch\nx = (\n")
    git("add", ".")
    git("commit", "-qm", "bad")
    for option in ("--new-from", "--diff-only"):
        assert synclint_command(".", option, "HEAD").code == 0
    add(repo / "bad.py")
    assert "bad.py:2:" in synclint_command(".", "--diff-only", "HEAD").out


@pytest.mark.parametrize("option", ["--new-from", "--diff-only"])
@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("origin/nope", "git knows no commit `origin/nope` in"),
        ("--output=pwned", "git knows no commit `--output=pwned` in"),
        ("HEAD:a.py", "git knows no commit `HEAD:a.py` in"),
        ("", "git knows no commit `` in"),
    ],
)
def test_unknown_commits(synclint_command: Command, repo: Path, option: str, ref: str, expected: str) -> None:
    outcome = synclint_command("a.py", f"{option}={ref}")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert expected in outcome.err
    assert "git fetch origin" in outcome.err
    assert not (repo / "pwned").exists()


def test_shallow_clones(synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("checkout", "-qb", "branch")
    add(repo / "a.py")
    git("commit", "-qam", "second")
    git("clone", "-q", "--depth=1", f"file://{repo}", "clone")
    monkeypatch.chdir(repo / "clone")
    for option in ("--new-from", "--diff-only"):
        outcome = synclint_command(".", option, "origin/main")
        assert outcome.code == 2
        assert "this clone is shallow (`git fetch --unshallow`; `fetch-depth: 0` for actions/checkout)" in outcome.err
    git("fetch", "-q", "--depth=1", "origin", "main")
    outcome = synclint_command(".", "--diff-only", "FETCH_HEAD")
    assert outcome.code == 2
    assert (
        "git knows no commit that `FETCH_HEAD` and HEAD have in common; fetch it: this clone is shallow" in outcome.err
    )
    outcome = synclint_command(".", "--new-from", "FETCH_HEAD", "--output-format", "concise")
    assert shown(outcome) == ["a.py:3:5"]


def test_contents_that_are_missing_are_not_fetched(
    synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("config", "uploadpack.allowFilter", "true")
    (repo / "a.py").write_text("import torch\nx = wait_102()\n")
    git("commit", "-qam", "second")
    git("clone", "-q", "--filter=blob:none", f"file://{repo}", "partial")
    monkeypatch.chdir(repo / "partial")
    assert synclint_command(".", "--new-from", "HEAD").code == 0
    outcome = synclint_command(".", "--new-from", "HEAD~1")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "git fetch --refetch" in outcome.err


def test_outside_of_a_repository(
    synclint_command: Command, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path_factory.mktemp("plain")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(place.parent))
    monkeypatch.chdir(place)
    (place / "a.py").write_text("import torch\n")
    outcome = synclint_command("a.py", "--new-from", "main")
    assert outcome.code == 2
    assert "is in no git working tree; run synclint in one, or leave the option away" in outcome.err


def test_without_git(synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repo))
    outcome = synclint_command("a.py", "--diff-only", "main")
    assert (outcome.code, outcome.err) == (
        2,
        "synclint: git is not installed, or not on the PATH; install it, or leave the option away\n",
    )


def test_contents_are_bytes(repo: Path) -> None:
    (repo / "b.py").write_bytes(b"\xff\r\n\0")
    (repo / "empty.py").write_bytes(b"")
    git("add", ".")
    git("commit", "-qm", "second")
    head = commit(repository(str(repo)), "HEAD")
    found = {os.path.basename(path): data for path, data in contents(head.files()).items()}
    assert found == {"a.py": b"import torch\nx = wait_101()\n", "b.py": b"\xff\r\n\0", "empty.py": b""}


def test_a_directory_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(GitError):
        repository(str(tmp_path / "gone"))


def test_patches() -> None:
    patch = b"""diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,2 +1,3 @@ def f():
--- not a header
-old
+++ b/not a header
+@@ -9 +9 @@
+new
\\ No newline at end of file
@@ -9,0 +11 @@
+one
@@ -12 +12,0 @@
-gone
diff --git a/b.py b/b.py
--- a/b.py
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/c d.py b/e f.py
rename from c d.py
rename to e f.py
diff --git "a/q\\".py" "b/q\\".py"
--- /dev/null
+++ "b/q\\"\\303\\274\\t.py"
@@ -0,0 +1,2 @@
+x
+y
"""
    assert changed_rows(patch) == {b"a.py": [(1, 3), (11, 11)], b"e f.py": [], b'q"\xc3\xbc\t.py': [(1, 2)]}
