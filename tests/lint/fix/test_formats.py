"""Fixes in the formats that programs read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = "import torch\n\n\ndef step(x):\n    x = x.cuda()\n    'é'; return x + torch.tensor(0.5, device=x.device)\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(PROGRAM, encoding="utf-8")


def test_sarif(run: Callable[..., tuple[int, str, str]]) -> None:
    (result,) = json.loads(run("a.py", "--output-format", "sarif", "--select", "SYNC302")[1])["runs"][0]["results"]
    (fix,) = result["fixes"]
    (replacement,) = fix["artifactChanges"][0]["replacements"]
    assert replacement == {
        "deletedRegion": {"startLine": 6, "startColumn": 27, "endLine": 6, "endColumn": 34},
        "insertedContent": {"text": "full((), "},
    }


def test_rdjsonl(run: Callable[..., tuple[int, str, str]]) -> None:
    row = json.loads(run("a.py", "--output-format", "rdjsonl", "--select", "SYNC302")[1])
    assert row["suggestions"] == [
        {
            "range": {"start": {"line": 6, "column": 28}, "end": {"line": 6, "column": 35}},
            "text": "full((), ",
        }
    ]
