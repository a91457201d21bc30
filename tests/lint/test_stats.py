"""`synclint stats`: findings counted by whatever a clean-up is planned by."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def files(here: Path) -> Path:
    (here / "pkg").mkdir()
    (here / "pkg/a.py").write_text("import torch\nwait_101()\nwait_101()\nrare_102()\n")
    (here / "b.py").write_text("import torch\nmaybe_101()\nwait_102()  # synclint: ignore[SYNC102]\n")
    return here


def test_the_tables(synclint_command: Command, files: Path) -> None:
    outcome = synclint_command("stats")
    assert outcome.code == 0
    assert (
        outcome.out
        == """\
by rule
  3  SYNC101  item-call
  1  SYNC102  tensor-tolist

by severity
  2  error
  1  note
  1  warning

by frequency
  3  every step
  1  every N steps

by confidence
  2  certain
  2  likely

by directory
  3  pkg
  1  .

4 findings in 2 files
"""
    )


def test_json(synclint_command: Command, files: Path) -> None:
    document = json.loads(synclint_command("stats", "pkg", "--output-format", "json").out)
    assert (document["files"], document["findings"]) == (1, 3)
    assert document["rule"][0] == {"code": "SYNC101", "name": "item-call", "count": 2}
    assert document["frequency"] == [
        {"frequency": "every step", "count": 2},
        {"frequency": "every N steps", "count": 1},
    ]
    counts = {name: sum(row["count"] for row in table) for name, table in document.items() if isinstance(table, list)}
    assert counts == dict.fromkeys(("rule", "severity", "frequency", "confidence", "directory"), 3)


def test_the_baseline_does_not_hide_what_is_to_be_cleaned_up(synclint_command: Command, files: Path) -> None:
    before = synclint_command("stats").out
    synclint_command(".", "--write-baseline")
    assert synclint_command("stats").out == before


def test_configuration_and_errors(synclint_command: Command, files: Path) -> None:
    (files / "synclint.toml").write_text('ignore = ["SYNC101"]\n')
    assert "1 finding in 2 files" in synclint_command("stats").out
    assert "4 findings in 2 files" in synclint_command("stats", "--isolated").out
    assert synclint_command("stats", "b.py").out == "0 findings in 1 file\n"
    assert synclint_command("stats", "gone.py").code == 2
    assert synclint_command("stats", "--config", "gone.toml").code == 2
