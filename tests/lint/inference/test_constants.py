"""What a module binds to its names is known where these are imported."""

from __future__ import annotations

from pathlib import Path

import pytest
from synclint.lint.files.source import Source, parse
from synclint.lint.inference.reading.interpreter import analyse
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

CONFIG = """
import torch

DEVICE = torch.device("cuda")
HOST = torch.device("cpu")
TABLE = torch.arange(3).view(1, 3)
WEIGHT = torch.ones(3, device="cuda")
"""

HEAD = """
import torch
import config
from config import DEVICE, HOST, TABLE, WEIGHT

for batch in torch.utils.data.DataLoader([], pin_memory=True, num_workers=2):
    """


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.py").write_text(CONFIG)
    return tmp_path


def reported(here: Path, line: str) -> list[tuple[str, str]]:
    (here / "train.py").write_text(HEAD + line)
    result = run([File("config.py"), File("train.py")], Settings(root=here), all_rules(), jobs=1)
    assert not result.failures
    return [(each.code, each.severity.words) for each in result.findings]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("batch.to(DEVICE, non_blocking=True).sum().item()", "SYNC101"),
        ("batch.to(config.DEVICE, non_blocking=True).sum().item()", "SYNC101"),
        ("torch.zeros(3, device=DEVICE).tolist()", "SYNC102"),
        ("WEIGHT.sum().item()", "SYNC101"),
        ("config.WEIGHT.sum().item()", "SYNC101"),
        ("float(WEIGHT.sum())", "SYNC105"),
        ("TABLE.to(DEVICE)", "SYNC301"),
        ("config.TABLE.to(config.DEVICE)", "SYNC301"),
    ],
)
def test_a_value_of_another_file(here: Path, line: str, code: str) -> None:
    assert reported(here, line) == [(code, "error")]


@pytest.mark.parametrize(
    "line", ["batch.to(HOST).sum().item()", "TABLE.sum().item()", "TABLE.to(config.HOST)", "WEIGHT.sum()"]
)
def test_a_value_of_another_file_that_does_not_wait(here: Path, line: str) -> None:
    assert reported(here, line) == []


def test_only_the_programs_own_names_are_constants(tmp_path: Path) -> None:
    source = parse(b"import torch\ntorch.set_default_device('cuda')\nX = torch.ones(3)\n", str(tmp_path / "m.py"))
    assert isinstance(source, Source)
    assert list(analyse(source).constants) == ["m.X"]
