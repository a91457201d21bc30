"""What git is asked, in repositories of every kind, and what is said where it cannot answer."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.adoption.git import GitError, changed_rows, commit, contents, repository

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
        ("origin/nope", "there is no commit `origin/nope` in"),
        ("--output=pwned", "there is no commit `--output=pwned` in"),
        ("HEAD:a.py", "there is no commit `HEAD:a.py` in"),
        ("", "there is no commit `` in"),
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
    assert "`FETCH_HEAD` and HEAD have no common commit; fetch it: this clone is shallow" in outcome.err
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
    assert "is not in a git working tree; run synclint in one, or omit the option" in outcome.err


def test_without_git(synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repo))
    outcome = synclint_command("a.py", "--diff-only", "main")
    assert (outcome.code, outcome.err) == (
        2,
        "synclint: git is not installed, or not on the PATH; install it, or omit the option\n",
    )


def test_without_a_temporary_directory(synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(repo / "gone"))
    add(repo / "a.py")
    outcome = synclint_command("a.py", "--diff-only", "main")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "could not write to a temporary directory: No such file or directory; set TMPDIR" in outcome.err


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
    patch = b"""diff --git a/0 b/0
--- a/0
+++ b/0
@@ -1,2 +1,3 @@ def f():
--- not a header
-old
+++ b/7
+@@ -9 +9 @@
+new
\\ No newline at end of file
@@ -9,0 +11 @@
+one
@@ -12 +12,0 @@
-gone
diff --git a/1 b/1
--- a/1
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/2 b/3
rename from a/2
rename to b/3
diff --git a/4 b/4
--- /dev/null
+++ b/4
@@ -0,0 +1,2 @@
+x
+y
"""
    assert changed_rows(patch) == {0: [(1, 3), (11, 11)], 3: [], 4: [(1, 2)]}


def test_line_ends_are_no_changes(synclint_command: Command, repo: Path) -> None:
    data = (repo / "a.py").read_bytes()
    (repo / "a.py").write_bytes(data.replace(b"\n", b"\r\n"))
    assert synclint_command(".", "--diff-only", "HEAD").code == 0
    add(repo / "a.py")
    assert shown(synclint_command(".", "--diff-only", "HEAD", "--output-format", "concise")) == ["a.py:3:5"]


def test_what_moved_is_not_new(synclint_command: Command, repo: Path) -> None:
    (repo / "a.py").write_text("import torch\nx = wait_101()\n" + "".join(f"n{at} = {at}\n" for at in range(20)))
    git("commit", "-qam", "longer")
    (repo / "a.py").rename(repo / "moved.py")
    assert synclint_command(".", "--diff-only", "HEAD").code == 0
    add(repo / "moved.py")
    assert shown(synclint_command(".", "--diff-only", "HEAD", "--output-format", "concise")) == ["moved.py:23:5"]


SETTINGS = {
    "alias.cat-file": "!{0}",
    "alias.diff": "!{0}",
    "alias.ls-tree": "!{0}",
    "core.alternateRefsCommand": "{0}",
    "core.askPass": "{0}",
    "core.attributesFile": "{1}/.gitattributes",
    "core.editor": "{0}",
    "core.fsmonitor": "{0}",
    "core.gitProxy": "{0}",
    "core.hooksPath": "{1}/hooks",
    "core.pager": "{0}",
    "core.sshCommand": "{0}",
    "core.untrackedCache": "true",
    "core.worktree": "{1}",
    "credential.helper": "!{0}",
    "diff.evil.command": "{0}",
    "diff.evil.textconv": "{0}",
    "diff.external": "{0}",
    "filter.evil.clean": "{0}",
    "filter.evil.process": "{0}",
    "filter.evil.required": "true",
    "filter.evil.smudge": "{0}",
    "gpg.program": "{0}",
    "include.path": "{1}/included",
    "includeIf.gitdir:/.path": "{1}/included",
    "interactive.diffFilter": "{0}",
    "log.showSignature": "true",
    "merge.evil.driver": "{0}",
    "pager.cat-file": "{0}",
    "pager.diff": "{0}",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "sequence.editor": "{0}",
    "submodule.recurse": "true",
    "uploadpack.packObjectsHook": "{0}",
    "extensions.partialClone": "evil",
    "remote.evil.promisor": "true",
    "remote.evil.partialclonefilter": "blob:none",
    "remote.evil.receivepack": "{0}",
    "remote.evil.uploadpack": "{0}",
    "remote.evil.vcs": "evil",
}
HOOKS = ("post-index-change", "fsmonitor-watchman", "reference-transaction", "pre-auto-gc", "post-checkout")


@pytest.fixture
def trap(repo: Path) -> Callable[[Path], None]:
    """Sets every trap that the files of a git directory can hold; what springs one leaves the file `sprung`."""
    canary = repo.parent / "canary.sh"
    canary.write_text(f"#!/bin/sh\ntouch '{repo}/sprung'\ncat\n")
    canary.chmod(0o755)

    def set_traps(directory: Path, lines: bytes = b"*.py filter=evil diff=evil merge=evil\n") -> None:
        for key, value in SETTINGS.items():
            git("config", "--file", str(directory / "config"), key, value.format(canary, repo))
        for name in HOOKS:
            for folder in (directory / "hooks", repo / "hooks"):
                folder.mkdir(exist_ok=True)
                shutil.copy(canary, folder / name)
        (directory / "info").mkdir(exist_ok=True)
        (directory / "info/attributes").write_bytes(lines)

    (repo / "included").write_text(f'[filter "evil"]\n\tclean = {canary}\n[core]\n\tfsmonitor = {canary}\n')
    return set_traps


@pytest.mark.skipif(os.name != "posix", reason="the traps are scripts")
@pytest.mark.parametrize("option", ["--new-from", "--diff-only"])
@pytest.mark.parametrize("url", ["ext::{}", "ssh://host/x", "git://host/x", "{}", "evil::x", "https://localhost:1/x"])
def test_nothing_of_a_repository_is_run(
    synclint_command: Command, repo: Path, trap: Callable[[Path], None], option: str, url: str
) -> None:
    (repo / ".gitattributes").write_text("*.py filter=evil diff=evil merge=evil ident working-tree-encoding=UTF-8\n")
    blob = git("rev-parse", "HEAD:a.py").strip()
    git("config", "--file", ".git/config", "remote.evil.url", url.format(repo.parent / "canary.sh"))
    trap(repo / ".git")
    add(repo / "a.py")
    (repo / "b.py").write_text("import torch\nx = wait_101()\n")
    assert shown(synclint_command(".", option, "main", "--output-format", "concise")) == ["a.py:3:5", "b.py:2:5"]
    (repo / f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    outcome = synclint_command(".", option, "main")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert not (repo / "sprung").exists()


@pytest.mark.skipif(os.name != "posix", reason="the traps are scripts")
def test_the_traps_work(repo: Path, trap: Callable[[Path], None]) -> None:
    """Git itself falls into them, so that the other tests show something."""
    trap(repo / ".git")
    add(repo / "a.py")
    subprocess.run(["git", "status"], capture_output=True)
    assert (repo / "sprung").exists()


@pytest.mark.skipif(os.name != "posix", reason="the traps are scripts")
def test_traps_in_submodules_and_bare_repositories(
    synclint_command: Command,
    repo: Path,
    trap: Callable[[Path], None],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """A bare repository can be committed like any other folder; git takes it for the one to ask in it."""
    library = tmp_path_factory.mktemp("library")
    git("init", "-q", "-b", "main", where=library)
    (library / "lib.py").write_text("import torch\nx = wait_101()\n")
    git("add", ".", where=library)
    git("commit", "-qm", "library", where=library)
    git("submodule", "-q", "add", str(library), "vendored")
    git("commit", "-qm", "second")
    trap(repo / ".git/modules/vendored")
    add(repo / "vendored/lib.py")
    for option in ("--new-from", "--diff-only"):
        found = synclint_command(".", option, "HEAD", "--output-format", "concise")
        assert shown(found) == ["vendored/lib.py:3:5"]
    git("clone", "-q", "--bare", str(library), "bare")
    trap(repo / "bare")
    git("config", "--file", "bare/config", "core.bare", "false")
    (repo / "bare/code.py").write_text("import torch\nx = wait_101()\n")
    outcome = synclint_command("bare/code.py", "--diff-only", "HEAD", "--output-format", "concise")
    assert outcome.code in (1, 2)
    assert not (repo / "sprung").exists()


@pytest.mark.skipif(os.name != "posix", reason="the program is a script")
@pytest.mark.parametrize("entry", ["", "."])
def test_a_git_beside_the_code_is_not_the_one(
    synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    (repo / "git").write_text(f"#!/bin/sh\ntouch '{repo}/sprung'\n")
    (repo / "git").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([entry, os.environ["PATH"]]))
    assert synclint_command("a.py", "--diff-only", "main").code == 0
    assert not (repo / "sprung").exists()


@pytest.mark.parametrize(
    "variables",
    [
        {"GIT_EXTERNAL_DIFF": "touch sprung"},
        {"GIT_SSH_COMMAND": "touch sprung", "GIT_ASKPASS": "touch sprung"},
        {"GIT_TRACE": "{}/sprung", "GIT_TRACE2": "{}/sprung"},
        {"GIT_DIR": "elsewhere", "GIT_WORK_TREE": "/", "GIT_OBJECT_DIRECTORY": "/nowhere"},
        {"GIT_ATTR_SOURCE": "main", "GIT_LITERAL_PATHSPECS": "0", "GIT_GLOB_PATHSPECS": "1"},
    ],
    ids=str,
)
def test_variables_of_others_do_nothing(
    synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    add(repo / "a.py")
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(repo))
    assert shown(synclint_command(".", "--diff-only", "main", "--output-format", "concise")) == ["a.py:3:5"]
    assert not (repo / "sprung").exists()


def test_replaced_objects_are_the_old_ones(synclint_command: Command, repo: Path) -> None:
    old = git("rev-parse", "HEAD:a.py").strip()
    add(repo / "a.py")
    git("replace", old, git("hash-object", "-w", "a.py").strip())
    for option in ("--new-from", "--diff-only"):
        assert shown(synclint_command(".", option, "main", "--output-format", "concise")) == ["a.py:3:5"]


OPTIONS = pytest.mark.parametrize("option", ["--new-from", "--diff-only"])


@pytest.mark.skipif(os.name != "posix", reason="links are text files elsewhere")
class TestLinks:
    """What a search leaves out is new unless the commit had it, and had all that it leads through."""

    @OPTIONS
    def test_a_file_that_becomes_a_link(self, synclint_command: Command, repo: Path, option: str) -> None:
        (repo / "a.py").rename(repo / "code.txt")
        (repo / "a.py").symlink_to("code.txt")
        outcome = synclint_command(".", option, "main")
        assert outcome.code == 1
        assert "a.py:1:1" in outcome.out

    @OPTIONS
    def test_a_link_that_was_there(self, synclint_command: Command, repo: Path, option: str) -> None:
        (repo / "code.txt").write_text("import torch\n")
        (repo / "link.py").symlink_to("code.txt")
        (repo / "nowhere.py").symlink_to("gone/x.py")
        git("add", ".")
        git("commit", "-qm", "links")
        assert synclint_command(".").code == 1
        assert synclint_command(".", option, "HEAD").code == 0

    @OPTIONS
    @pytest.mark.parametrize("change", ["step", "folder", "end"])
    def test_a_link_that_leads_elsewhere_now(
        self, synclint_command: Command, repo: Path, option: str, change: str
    ) -> None:
        """Its own text is as it was."""
        (repo / "one").mkdir()
        (repo / "one/x.py").write_text("import torch\nx = wait_102()\n")
        (repo / "folder").symlink_to("one")
        (repo / "step").symlink_to("folder/x.py")
        (repo / "link.py").symlink_to("step")
        git("add", ".")
        git("commit", "-qm", "links")
        assert synclint_command(".", option, "HEAD").code == 0
        (repo / "two").mkdir()
        (repo / "two/x.py").symlink_to("/etc/hostname")
        if change == "step":
            (repo / "step").unlink()
            (repo / "step").symlink_to("code.txt")
        elif change == "folder":
            (repo / "folder").unlink()
            (repo / "folder").symlink_to("two")
        else:
            (repo / "one/x.py").unlink()
        outcome = synclint_command("link.py" if change == "end" else ".", option, "HEAD")
        assert "link.py" in outcome.out + outcome.err
        assert outcome.code

    @OPTIONS
    @pytest.mark.parametrize("what", ["zero", "pipe", "sparse"])
    def test_what_is_no_file_is_not_read(self, synclint_command: Command, repo: Path, option: str, what: str) -> None:
        """By git's contents they would be links, files that changed, or files of five gigabytes."""
        (repo / "a.py").unlink()
        if what == "zero":
            (repo / "a.py").symlink_to("/dev/zero")
        elif what == "pipe":
            os.mkfifo(repo / "a.py")
        else:
            with (repo / "a.py").open("wb") as file:
                file.truncate(5 << 30)
        outcome = synclint_command(".", option, "main")
        assert outcome.code == 1
        assert "a.py:1:1" in outcome.out


@pytest.mark.skipif(os.name != "posix", reason="the program is a script")
@pytest.mark.parametrize("where", ["bin", "linked", "inner"])
def test_a_git_on_the_path_that_is_in_the_repository(
    synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch, where: str, tmp_path: Path
) -> None:
    """Tools for environments put absolute folders of a project there; a submodule is a part of it."""
    (repo / "bin").mkdir()
    (repo / "bin/git").write_text(f"#!/bin/sh\ntouch '{repo}/sprung'\n")
    (repo / "bin/git").chmod(0o755)
    place = repo / "bin"
    if where == "linked":
        place = tmp_path.parent / f"{tmp_path.name}-linked"
        place.symlink_to(repo / "bin")
    elif where == "inner":
        (repo / "inner").mkdir()
        git("init", "-q", "--separate-git-dir", "../.git/inner", where=repo / "inner")
        (repo / "inner/a.py").write_text("import torch\n")
        git("add", ".", where=repo / "inner")
        git("commit", "-qm", "first", where=repo / "inner")
        monkeypatch.chdir(repo / "inner")
    monkeypatch.setenv("PATH", os.pathsep.join([str(place), os.environ["PATH"]]))
    assert synclint_command("a.py", "--diff-only", "HEAD").code == 0
    assert not (repo / "sprung").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_configuration_that_waits_for_a_pipe(
    synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("synclint.lint.adoption.git_program._LONGEST_NAMING", 0.5)
    os.mkfifo(repo / "pipe")
    git("config", "--file", ".git/config", "include.path", str(repo / "pipe"))
    outcome = synclint_command("a.py", "--new-from", "main")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "git rev-parse took longer than" in outcome.err


def test_old_files_that_are_too_large_count_as_new(
    synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(repo / "a.py", "#" * 4000 + "\n")
    git("commit", "-qam", "large")
    monkeypatch.setattr("synclint.lint.adoption.git.LARGEST_FILE", 2000)
    for option in ("--new-from", "--diff-only"):
        assert shown(synclint_command("a.py", option, "HEAD", "--output-format", "concise")) == ["a.py:2:5"]


@pytest.mark.parametrize("limit", ["git", "git_program"])
def test_answers_of_git_end(synclint_command: Command, repo: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(f"synclint.lint.adoption.{limit}.LARGEST_ANSWER", 1 if limit == "git_program" else 10)
    outcome = synclint_command("a.py", "--new-from", "main")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "MiB" in outcome.err
