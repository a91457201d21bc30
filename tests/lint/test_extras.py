"""Without an extra, one line says what to install, whichever of its packages is missing, and nothing else happens."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

BLOCKED = """\
import sys


class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)


sys.meta_path.insert(0, Blocker())
from synclint.lint.cli import main

main()
"""
PAGE = ("jinja2", "markupsafe", "pygments")
CASES = [
    *(((each,), ("check", "--output-format", "html", "a.py"), "report") for each in PAGE),
    (PAGE, ("check", "--output", "html=a.html", "a.py"), "report"),
    (("watchfiles",), ("check", "--watch", "a.py"), "watch"),
    (("pygls", "lsprotocol"), ("server",), "server"),
    (("lsprotocol",), ("server",), "server"),
    (("torch",), ("run", "a.py"), "runtime"),
    (("torch",), ("verify",), "runtime"),
    (("torch",), ("verify", "--fixes"), "runtime"),
]
EXTRAS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def _names(requirements: Iterable[str]) -> set[str]:
    return {re.split(r"[<>=]", each)[0] for each in requirements}


@pytest.mark.parametrize(("missing", "words", "extra"), CASES)
def test_a_missing_extra_is_named(missing: tuple[str, ...], words: tuple[str, ...], extra: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\n", encoding="utf-8")
    command = [sys.executable, "-c", BLOCKED.format(missing=missing), *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert _names(shlex.split(done.stderr.partition("pip install ")[2])) == _names(EXTRAS[extra])
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert [each.name for each in tmp_path.iterdir()] == ["a.py"]
