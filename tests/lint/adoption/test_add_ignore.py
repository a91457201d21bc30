"""Suppressions that are written into files: nothing but comments, and formatters do not part them from their lines."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.suppression.line_length import DEFAULT, line_length

Command = Callable[..., Any]

PLAIN = '''\
import torch

wait_101()
x = wait_102()   # why
y = f(
    wait_101(),
    2,
)
z = f("""
  {}
  """, wait_101()
)
if wait_101():
    pass
elif (
    wait_102()
):  # large
    wait_101()
for i in \\
    wait_101():
    print("""a
b""", wait_102(), wait_101())
with a(), \\
        b(wait_101()): wait_102()
if wait_101(): wait_102()
wait_101(); wait_102()
@decorated(wait_101())
def f(a=wait_102()):
    try: wait_101()
    except wait_102(): pass
    return lambda: wait_101()
class C(wait_101()): pass
match wait_101():
    case 1 if wait_102():
        wait_101()
text = f"""
{wait_101()}
"""
'''


@pytest.fixture
def ignore(synclint_command: Command, here: Path) -> Callable[..., str]:
    """The text of a file after everything in it was suppressed."""

    def change(text: str | bytes, *arguments: str, reason: str = "=known") -> str:
        file = here / "f.py"
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        outcome = synclint_command("f.py", f"--add-ignore{reason}", *arguments)
        assert outcome.code == 0, outcome
        assert synclint_command("f.py").out == "Found no problems in 1 file.\n"
        return file.read_bytes().decode(errors="surrogateescape")

    return change


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = wait_101()\n", "x = wait_101()  # synclint: ignore[SYNC101] known\n"),
        ("x = wait_101()", "x = wait_101()  # synclint: ignore[SYNC101] known"),
        ("wait_101() + wait_102()\n", "wait_101() + wait_102()  # synclint: ignore[SYNC101, SYNC102] known\n"),
        ("wait_101()  # type: ignore\n", "wait_101()  # type: ignore  # synclint: ignore[SYNC101] known\n"),
        ("f(\n    wait_101(),\n)\n", "f(\n    wait_101(),\n)  # synclint: ignore[SYNC101] known\n"),
        ('f(wait_101(), """\n#"""\n)\n', 'f(wait_101(), """\n#"""\n)  # synclint: ignore[SYNC101] known\n'),
        ("x = 1 + \\\n  wait_101()\n", "x = 1 + \\\n  wait_101()  # synclint: ignore[SYNC101] known\n"),
        (
            "wait_101(); wait_102()  # synclint: ignore[SYNC102] old\n",
            "wait_101(); wait_102()  # synclint: ignore[SYNC102, SYNC101] old\n",
        ),
        (
            "# synclint: ignore[SYNC102] old\nf(wait_101(),\n  wait_102())\n",
            "# synclint: ignore[SYNC102, SYNC101] old\nf(wait_101(),\n  wait_102())\n",
        ),
        (
            "wait_102()  # synclint: expect[SYNC102]\nif x:\n    some_function_with_a_name(of_a_length, wait_101())\n",
            "wait_102()  # synclint: expect[SYNC102]\nif x:\n    # synclint: ignore[SYNC101] known\n"
            "    some_function_with_a_name(of_a_length, wait_101())\n",
        ),
        ("if wait_101(): pass\n", "# synclint: ignore[SYNC101] known\nif wait_101(): pass\n"),
        ("if x: wait_101()\n", "if x: wait_101()  # synclint: ignore[SYNC101] known\n"),
        ("wait_101(); f(); \\\n  g()\n", "# synclint: ignore[SYNC101] known\nwait_101(); f(); \\\n  g()\n"),
        (
            "if a:\n\tpass\nelif wait_101():  # b\n\tpass\n",
            "if a:\n\tpass\nelif wait_101():  # b  # synclint: ignore[SYNC101] known\n\tpass\n",
        ),
        ("wait_101()\r\nx = 1\r\n", "wait_101()  # synclint: ignore[SYNC101] known\r\nx = 1\r\n"),
        ("x = 1\r\nif wait_101(): x\r\n", "x = 1\r\n# synclint: ignore[SYNC101] known\r\nif wait_101(): x\r\n"),
        ("\ufeffwait_101()\n", "\ufeffwait_101()  # synclint: ignore[SYNC101] known\n"),
        ("x = 1\n\x0cwait_101()   \n", "x = 1\n\x0cwait_101()  # synclint: ignore[SYNC101] known   \n"),
    ],
)
def test_where_the_comment_goes(ignore: Callable[..., str], before: str, after: str) -> None:
    assert ignore(before) == after


def test_every_kind_of_statement(ignore: Callable[..., str]) -> None:
    after = ignore(PLAIN)
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(PLAIN))
    comment = r"# synclint: ignore\[[\w, ]+\] known"
    assert re.sub(rf"(?m)^[ \t]*{comment}\n|  {comment}", "", after) == PLAIN


def test_formatters_keep_it(ignore: Callable[..., str], synclint_command: Command, here: Path) -> None:
    single = "\n".join(line for line in PLAIN.replace("wait_101(); wait_102()\n", "").splitlines()) + "\n"
    ignore(single, reason="=a reason that makes the line longer than formatters like, so that they have to break it")
    ruff = shutil.which("ruff") or os.path.join(os.path.dirname(sys.executable), "ruff")
    for width in ("60", "88", "200"):
        subprocess.run([ruff, "format", "-q", "--isolated", "--line-length", width, "f.py"], check=True)
        assert synclint_command("f.py").out == "Found no problems in 1 file.\n", (here / "f.py").read_text()


def test_an_encoding_of_ones_own(ignore: Callable[..., str], synclint_command: Command, here: Path) -> None:
    data = "# -*- coding: latin-1 -*-\nx = 'ä', wait_101()\n".encode("latin-1")
    ignore(data, reason="=für später")
    expected = data[:-1] + "  # synclint: ignore[SYNC101] für später\n".encode("latin-1")
    assert (here / "f.py").read_bytes() == expected
    (here / "f.py").write_bytes(data)
    outcome = synclint_command("f.py", "--add-ignore=日本")
    assert (outcome.code, (here / "f.py").read_bytes()) == (1, data)
    assert "f.py: unchanged: the reason cannot be encoded in iso-8859-1" in outcome.err


def test_without_a_reason_what_follows_is_a_path(synclint_command: Command, here: Path) -> None:
    (here / "f.py").write_text("wait_101()\n")
    assert synclint_command("--add-ignore", "f.py").out == "suppressed 1 finding in 1 file\n"
    assert (here / "f.py").read_text() == "wait_101()  # synclint: ignore[SYNC101]\n"


def test_only_what_would_be_shown_is_suppressed(synclint_command: Command, here: Path) -> None:
    (here / "f.py").write_text("wait_101()\nrare_101()\nwait_102()\n")
    assert synclint_command("f.py", "--add-ignore", "--select", "SYNC101").code == 0
    assert (here / "f.py").read_text() == "wait_101()  # synclint: ignore[SYNC101]\nrare_101()\nwait_102()\n"
    assert synclint_command("f.py", "--add-ignore", "--select", "SYNC101", "--show-notes").code == 0
    assert "rare_101()  # synclint: ignore[SYNC101]\nwait_102()\n" in (here / "f.py").read_text()


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("=a # b", "without `#`"),
        ("=a\nb", "on one line"),
        ("", "suppressions require a reason here; use --add-ignore="),
    ],
)
def test_reasons_that_cannot_be_written(synclint_command: Command, here: Path, reason: str, expected: str) -> None:
    (here / "synclint.toml").write_text("require-reason = true\n")
    (here / "f.py").write_text("wait_101()\n")
    outcome = synclint_command("f.py", f"--add-ignore{reason}")
    assert (outcome.code, outcome.out, (here / "f.py").read_text()) == (2, "", "wait_101()\n")
    assert expected in outcome.err


def test_what_no_comment_can_silence(synclint_command: Command, here: Path) -> None:
    (here / "bad.py").write_text("import torch\nx = (\n")
    (here / "unused.py").write_text("x = 1  # synclint: ignore[SYNC101]\n")
    before = {file: file.read_bytes() for file in here.glob("*.py")}
    outcome = synclint_command(".", "--add-ignore")
    assert outcome.out == "suppressed 0 findings in 0 files\n"
    assert "2 could not be suppressed by a comment" in outcome.err
    assert outcome.code == 1
    assert {file: file.read_bytes() for file in here.glob("*.py")} == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions mean nothing here")
def test_a_write_protected_file(synclint_command: Command, here: Path) -> None:
    (here / "f.py").write_text("wait_101()\n")
    (here / "f.py").chmod(0o444)
    outcome = synclint_command("f.py", "--add-ignore")
    assert "f.py: unchanged: it is write-protected" in outcome.err
    assert outcome.code == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[tool.ruff]\nline-length = 120\n"),
        ("ruff.toml", "line-length = 120\n"),
        ("pyproject.toml", "[tool.black]\nline-length = 120\n"),
        ("setup.cfg", "[flake8]\nmax-line-length = 120\n"),
    ],
)
def test_lines_are_as_long_as_the_project_allows(ignore: Callable[..., str], here: Path, name: str, text: str) -> None:
    line = "some_function_with_a_name(of_a_length_that_fills_much, wait_101())"
    assert ignore(f"{line}\n") == f"# synclint: ignore[SYNC101] known\n{line}\n"
    (here / name).write_text(text)
    assert ignore(f"{line}\n") == f"{line}  # synclint: ignore[SYNC101] known\n"


def test_what_lies_around_the_repository_says_nothing_about_its_lines(here: Path) -> None:
    (here / "ruff.toml").write_text("line-length = 120\n")
    (here / "inner").mkdir()
    assert line_length(here / "inner/f.py") == 120
    (here / "inner/.git").mkdir()
    assert line_length(here / "inner/f.py") == DEFAULT


def test_hard_links_stay_and_links_that_lead_out_are_left_alone(
    synclint_command: Command, here: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "f.py"
    outside.write_text("import torch\nwait_101()\n")
    (here / "synclint.toml").touch()
    (here / "link.py").symlink_to(outside)
    (here / "one.py").write_text("import torch\nwait_101()\n")
    os.link(here / "one.py", here / "other")
    (here / "inner.py").symlink_to("target.py")
    (here / "target.py").write_text("import torch\nwait_101()\n")
    outcome = synclint_command(".", "link.py", "--add-ignore")
    assert outcome.out == "suppressed 2 findings in 2 files\n"
    assert "link.py: unchanged: it is a link that leads out of the project" in outcome.err
    assert outside.read_text() == "import torch\nwait_101()\n"
    assert (here / "other").read_text() == (here / "one.py").read_text() == (here / "target.py").read_text()
    assert (here / "one.py").stat().st_nlink == 2
    assert (here / "inner.py").is_symlink()
