"""Names that are not UTF-8 and halves of surrogate pairs, all the way from a finding to where it is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from synclint.lint.output.targets import format_names

NAMES = (b"caf\xe9.py", b"d\xe9r/inner.py", b"n\xe9.ipynb")
PROGRAM = r"""
import torch

KEY = "\ud800"
class Model:
    def __init__(self):
        self.held = {"\ud800": torch.ones(3, device="cuda")}
        setattr(self, "\ud801", torch.ones(3, device="cuda"))

    def forward(self, x):
        getattr(self, "\ud801").item()
        print(self.held["\ud800"].item(), {KEY: x.cuda()}[KEY].item())
        return {"\udfff": x.cuda()}

for batch in torch.utils.data.DataLoader([]):
    print(Model().forward(batch)["\udfff"].item(), "é \ud800")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that has both, with findings in each file."""
    for name in NAMES:
        path = os.path.join(os.fsencode(tmp_path), b"project", name)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(_notebook() if name.endswith(b".ipynb") else PROGRAM)
        except OSError:
            pytest.skip("names of files are text here")
    return tmp_path / "project"


def _notebook() -> str:
    source = f"{PROGRAM}print(torch.ones(3, device='cuda').item(), '\ud800')\n"
    cell = {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def _synclint(project: Path, *arguments: str) -> bytes:
    """What the command says, where standard output can take nothing but ASCII."""
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    words = [sys.executable, "-P", "-m", "synclint", *arguments]
    done = subprocess.run(words, cwd=project, env=environment, capture_output=True, check=False)
    assert done.returncode in (0, 1), done
    assert not done.stderr or arguments[-1].startswith("--"), done
    return done.stdout


@pytest.mark.parametrize("form", format_names())
def test_every_format_is_text(project: Path, form: str) -> None:
    file = project.parent / "report"
    printed = _synclint(
        project,
        "check",
        ".",
        "--show-notes",
        "--group-by",
        "file",
        "--output-format",
        form,
        "--output",
        f"{form}={file}",
    )
    written = file.read_bytes().decode()
    assert written.count("SYNC101") >= 4 * len(NAMES)
    assert printed.decode("utf-8" if form == "html" else "ascii").count("\n") == written.count("\n")
    if form in {"gitlab", "json", "json-lines", "rdjsonl", "sarif"}:
        documents = map(json.loads, [written] if form in {"gitlab", "json", "sarif"} else written.splitlines())
        json.dumps(list(documents), ensure_ascii=False).encode()
    for name in ("caf", "inner.py", ".ipynb"):
        assert name in written


def test_the_cache_keeps_what_was_found(project: Path) -> None:
    first, second = (_synclint(project, "check", ".", "--output-format", "json") for _ in range(2))
    assert first == second == _synclint(project, "check", ".", "--output-format", "json", "--no-cache")


def test_a_baseline_knows_all(project: Path) -> None:
    _synclint(project, "check", ".", "--write-baseline")
    assert _synclint(project, "check", ".", "-q") == b""
    assert len(json.loads((project / ".synclint-baseline.json").read_bytes())["findings"]) >= 4 * len(NAMES)


def test_all_can_be_suppressed(project: Path) -> None:
    _synclint(project, "check", ".", "--add-ignore")
    assert _synclint(project, "check", ".") == b"Found no problems in 3 files.\n"


def test_statistics_and_explanations(project: Path) -> None:
    assert b"SYNC101" in _synclint(project, "stats", ".")
    assert b"reported: SYNC101" in _synclint(project, "explain", f"{os.fsdecode(NAMES[0])}:11")
