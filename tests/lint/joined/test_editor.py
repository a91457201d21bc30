"""The editor reads the evidence that the configuration names, and hovers tell what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls")
from synclint.lint.measurements.entries import Entry, Evidence, Key, Run
from synclint.lint.measurements.writing import record
from synclint.lint.server.checker import Checker
from synclint.lint.server.documents import Document
from synclint.lint.server.hover import hover

PROGRAM = """import torch

def main(loader):
    model = torch.nn.Linear(4, 2).cuda()
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).sum()
        loss.backward()
        print(loss.item())

main([1, 2])
"""


def opened(here: Path) -> Document:
    (here / ".git").mkdir()
    (here / "train.py").write_text(PROGRAM)
    (here / "synclint.toml").write_text('evidence = ["evidence.json"]\n')
    return Document((here / "train.py").as_uri(), str(here / "train.py"), 1, PROGRAM)


def test_what_was_measured_is_told(here: Path) -> None:
    document = opened(here)
    run = Run("train.py", "NVIDIA H100", "2026-11-26", 40)
    key = Key("train.py", "main", "print(loss.item())", "SYNC101", 1)
    record(here / "evidence.json", Evidence({run.name: run}, (Entry(key, run.name, 1.0, 3.14, 40, 43),)))
    answers = Checker().check([document])
    assert answers.complaints == []
    ((finding,),) = (each.findings for each in answers.found)
    assert finding.message.endswith(
        "; measured: 3.14 ms/step, 1 wait/step on NVIDIA H100 (run of 26 November 2026, 40 steps)"
    )
    assert "- measured: 3.14 ms/step, 1 wait/step on NVIDIA H100" in hover([finding], None, str)


def test_evidence_that_cannot_be_read_is_a_complaint(here: Path) -> None:
    document = opened(here)
    (here / "evidence.json").write_text("[")
    answers = Checker().check([document])
    assert [each for each in answers.complaints if "is not a file of evidence" in each]
    assert [len(each.findings) for each in answers.found] == [1]
