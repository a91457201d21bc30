"""Patterns of gitignore files, against what git says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from synclint.lint.files.patterns import Patterns

NAMES = ("a", "b", "ab/a.py", "ab/x/a.py", "x/ab/a.py", "b]", "a b", "#a", "!b", "x-y/z", "[a]/A1", "z")
ODD = (
    *("\\", "foo\\", "!", "/", "//", "[z-a]", "[a", "[", "[[:nope:]]", "#a", "\\#a", "\\!b", "a\\ b", "a b ", "\r"),
    *(
        "*",
        "!*\n",
        "**",
        "***",
        "a*",
        "*.py",
        "?",
        "[!a]",
        "[]a]",
        "b]",
        "[[:upper:]]?",
        "[a-",
        "\\[a]",
        "x?y",
        "[x-z]",
    ),
    *("/a", "ab/", "ab/a.py", "/ab/**", "**/a.py", "ab/**/a.py", "**/ab/*", "a**.py", "x/**/**/a.py", "ab/*\n!ab/x"),
    *("ab", "ab\n!ab/a.py", "*\n!a*", "*.py\n!ab/*.py", "ab/[a/]", "[x/]", "*/*/a*", "**/*b*/*", "\\a", "a\\/b"),
)


@pytest.mark.parametrize("lines", ODD)
def test_says_what_git_says(tmp_path: Path, lines: str) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_text(lines + "\n")
    names = [each for each in tmp_path.rglob("*") if ".git" not in each.parts and each.name != ".gitignore"]
    command = ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", "--stdin"]
    asked = "\0".join(str(each.relative_to(tmp_path)) for each in names).encode()
    answer = subprocess.run(command, cwd=tmp_path, input=asked, capture_output=True, check=False).stdout
    patterns = Patterns(str(tmp_path), lines.split("\n"))
    ours = {str(each.relative_to(tmp_path)) for each in names if patterns.cover(str(each), each.is_dir())}
    assert ours == set(filter(None, answer.decode().split("\0")))


@pytest.mark.parametrize("pattern", ["*a" * 1000 + "b", "**/" + "**/*a*a*a*a*b/" * 50 + "x", "*" * 4000 + "b"])
def test_no_pattern_takes_for_ever(pattern: str) -> None:
    assert not Patterns("/", [pattern]).cover("/" + "/".join(["a" * 200] * 20))


def test_paths_elsewhere_are_not_spoken_of() -> None:
    assert Patterns("/one", ["*"]).verdict("/other/a.py") is None
    assert Patterns("/one", ["*"]).verdict("/one") is None
