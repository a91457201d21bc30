"""Which files a run checks."""

from __future__ import annotations

import inspect
import os
import sys
from pathlib import Path

import pytest
from synclint.lint.run.discovery import discover
from synclint.lint.settings.config import Settings
from synclint.lint.settings.configurations import Configurations


def tree(root: Path, *names: str) -> None:
    for name in names:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("import torch\n")


def found(*paths: str, exclude: tuple[str, ...] = (), force: bool = False) -> list[str]:
    result = discover(paths, Configurations(Settings(root=Path(), exclude=exclude)), force)
    assert not result.problems
    return [file.replace(os.sep, "/") for file in result.files]


def test_directories_are_searched_in_order(here: Path) -> None:
    tree(here, "b.py", "a/z.py", "a/y.pyi", "a/readme.md", "a/deep/er/x.py")
    assert found(".") == ["a/deep/er/x.py", "a/y.pyi", "a/z.py", "b.py"]


def test_each_file_once(here: Path) -> None:
    tree(here, "a/x.py", "a/y.py")
    assert found("a/y.py", "a", "./a/x.py", str(here / "a")) == ["a/y.py", "a/x.py"]


def test_directories_without_own_code_are_left_out(here: Path) -> None:
    tree(here, ".venv/a.py", "node_modules/a.py", "build/a.py", "dist/a.py", "__pycache__/a.py", ".git/a.py", "b.py")
    assert found(".") == ["b.py"]


def test_what_is_named_is_taken(here: Path) -> None:
    tree(here, "build/a.py", "script")
    assert found("build", "script") == ["build/a.py", "script"]
    assert found("build/a.py") == ["build/a.py"]


def test_force_exclude(here: Path) -> None:
    tree(here, "build/a.py", "old/b.py", "c.py")
    assert found("build/a.py", "old/b.py", "c.py", exclude=("old/",), force=True) == ["c.py"]


def test_exclude_patterns_are_relative_to_the_root(here: Path) -> None:
    tree(here, "src/gen/a.py", "src/b_pb2.py", "gen/c.py")
    assert found(".", exclude=("/gen", "*_pb2.py")) == ["src/gen/a.py"]


def test_gitignore_files_at_every_level(here: Path) -> None:
    tree(here, ".git/config", "a.py", "out/b.py", "sub/c_tmp.py", "sub/keep_tmp.py", "sub/out/d.py")
    (here / ".gitignore").write_text("/out\n*_tmp.py\n")
    (here / "sub/.gitignore").write_text("!keep_tmp.py\n")
    assert found(".") == ["a.py", "sub/keep_tmp.py", "sub/out/d.py"]
    assert found("sub") == ["sub/keep_tmp.py", "sub/out/d.py"]
    assert found("sub/c_tmp.py") == ["sub/c_tmp.py"]


def test_a_named_directory_is_searched_even_if_ignored(here: Path) -> None:
    tree(here, ".git/config", "out/b.py")
    (here / ".gitignore").write_text("out/\n")
    assert found(".") == []
    assert found("out") == ["out/b.py"]


def test_links_to_directories_do_not_lead_in_circles(here: Path) -> None:
    tree(here, "a/x.py")
    (here / "a/loop").symlink_to(here / "a", target_is_directory=True)
    (here / "a/same.py").symlink_to("x.py")
    assert found("a") == ["a/same.py"]
    assert found("a/loop") == ["a/loop/same.py"]


def test_links_to_nothing_are_problems(here: Path) -> None:
    tree(here, "x.py")
    (here / "me.py").symlink_to("me.py")
    (here / "gone.py").symlink_to("nowhere.py")
    (here / ".#lock.py").symlink_to("user@host.123")
    result = discover(["."], Configurations(Settings(root=here)))
    assert result.files == ["x.py"]
    assert [(each.span.filename, each.message) for each in result.problems] == [
        ("gone.py", "does not exist; correct the path"),
        ("me.py", "is a symbolic link to itself; remove it"),
    ]
    assert not result.missing


def test_links_that_lead_out_of_the_code_are_problems_unless_named(here: Path) -> None:
    tree(here, "secret.py", "repo/.git/config", "repo/.env", "repo/.venv/x.py", "repo/b.py", "repo/sub/setup.py")
    targets = {"config.py": "../.git/config", "env.py": "../.env", "in_venv.py": "../.venv/x.py"}
    for name, target in {**targets, "near.py": "../b.py", "out.py": "../../secret.py"}.items():
        (here / "repo/sub" / name).symlink_to(target)
    result = discover(["repo/sub"], Configurations(Settings(root=here / "repo/sub")))
    assert result.files == ["repo/sub/near.py", "repo/sub/setup.py"]
    left_out = sorted([*targets, "out.py"])
    assert [each.span.filename for each in result.problems] == [f"repo/sub/{name}" for name in left_out]
    assert {each.message for each in result.problems} == {
        "is a symbolic link that leads out of the project's code; name it to check it, or exclude it"
    }
    assert found("repo/sub/out.py") == ["repo/sub/out.py"]
    (here / "repo/b").symlink_to("sub")
    assert discover(["repo/b"], Configurations(Settings(root=here))).files == ["repo/b/near.py", "repo/b/setup.py"]


def test_a_path_that_does_not_exist(here: Path) -> None:
    tree(here, "x.py")
    result = discover(["gone.py", "x.py", "\0"], Configurations(Settings(root=here)))
    assert result.files == ["x.py"]
    assert result.missing
    assert result.problems[0].message == "does not exist; correct the path"


def test_a_directory_that_cannot_be_read(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(here, "a/x.py", "secret/y.py")
    scan = os.scandir

    def denied(path: str) -> object:
        if path == "secret":
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", denied)
    result = discover(["."], Configurations(Settings(root=here)))
    assert result.files == ["a/x.py"]
    assert result.problems[0].span.filename == "secret"
    assert "permission denied" in result.problems[0].message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("target", ["/dev/zero", "pipe"])
def test_a_gitignore_that_is_no_file_is_told_and_ignores_nothing(here: Path, target: str) -> None:
    tree(here, "a.py")
    os.mkfifo(here / "pipe")
    (here / ".gitignore").symlink_to(target)
    result = discover(["."], Configurations(Settings(root=here)))
    assert result.files == ["a.py"]
    assert [each.span.filename for each in result.problems] == [".gitignore"]


def test_an_empty_path_is_not_the_working_directory(here: Path) -> None:
    tree(here, "a.py")
    result = discover([""], Configurations(Settings(root=here)))
    assert (result.files, result.missing) == ([], True)


def test_force_excludes_what_git_ignores(here: Path) -> None:
    tree(here, ".git/config", "out/b.py", "c_tmp.py", "d.py")
    (here / ".gitignore").write_text("out/\n*_tmp.py\n")
    assert found("out", "out/b.py", "c_tmp.py", "d.py", force=True) == ["d.py"]


def test_directories_may_be_deeper_than_the_recursion_limit(here: Path) -> None:
    tree(here, "/".join(["d"] * 150 + ["x.py"]))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 120)
    try:
        assert len(found(".")) == 1
    finally:
        sys.setrecursionlimit(limit)


def test_a_pipe_is_no_file(here: Path) -> None:
    os.mkfifo(here / "pipe.py")
    result = discover(["."], Configurations(Settings(root=here)))
    assert result.files == []
    assert [each.message for each in result.problems] == ["is a named pipe, not a file; remove or exclude it"]
