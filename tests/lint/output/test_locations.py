"""File names as other programs expect them, also those of Windows."""

from __future__ import annotations

import ntpath
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from synclint.lint.output import locations
from synclint.lint.output.locations import root, uri


def windows(here: str, **environment: str) -> SimpleNamespace:
    """What there is of `os` on Windows."""
    path = SimpleNamespace(**{name: getattr(ntpath, name) for name in ("isabs", "splitdrive", "normcase")})
    path.realpath = ntpath.normpath
    encode = lambda text: text.encode("utf-8", "surrogatepass")  # noqa: E731
    return SimpleNamespace(
        sep="\\", path=path, fsencode=encode, getcwd=lambda: here, environ=environment, devnull="nul"
    )


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (r"src\a b.py", "src/a%20b.py"),
        (r"C:\Users\me\größe.py", "file:///C:/Users/me/gr%C3%B6%C3%9Fe.py"),
        ("c:/mixed\\x.py", "file:///c:/mixed/x.py"),
        (r"\\server\share\x#1.py", "file://server/share/x%231.py"),
        (r"\\?\C:\long\x.py", "file:///C:/long/x.py"),
        (r"\\?\UNC\server\share\x.py", "file://server/share/x.py"),
    ],
)
def test_uris_of_windows(path: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locations, "os", windows("C:\\"))
    assert uri(path) == expected


def test_a_uri_of_another_system_keeps_its_backslashes() -> None:
    assert uri("/a\\b:c.py") == "file:///a%5Cb%3Ac.py"
    assert uri(r"\\?\x.py") == "%5C%5C%3F%5Cx.py"


def test_the_checkout_is_found_in_any_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locations, "os", windows(r"d:\a\repo\src", GITHUB_WORKSPACE=r"D:\a\Repo"))
    assert root() == r"D:\a\Repo"


def test_what_programs_read_is_utf_8_in_any_terminal(tmp_path: Path) -> None:
    """As on a console of Windows; what people read is in the encoding of the terminal."""
    name = "größe𝔾.py"
    loop = "for x in torch.utils.data.DataLoader([1]):\n    torch.ones(1, device='cuda').item()\n"
    (tmp_path / name).write_text(f"import torch\n{loop}")
    for form in ("github", "azure", "pylint", "html", "concise"):
        words = [sys.executable, "-m", "synclint", "check", "--no-cache", "--output-format", form, "."]
        environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False, env=environment)
        shown = "größe\\U0001d53e.py".encode("cp1252") if form == "concise" else name.encode()
        assert shown in done.stdout, form
