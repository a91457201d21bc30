"""A trace by torch's own profiler: on the host the operators are the same, and stand for the calls that block."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from synclint.runtime_checker.traces import waits  # noqa: E402
from synclint.runtime_checker.traces.command import main  # noqa: E402
from torch.profiler import ProfilerActivity, profile  # noqa: E402

PROGRAM = """
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def log(loss):
    return loss.item()


def run():
    for _ in range(3):
        loss = torch.ones(3, device=DEVICE).sum()
        if loss > 5:
            print("large")
        log(loss)
"""


def test_lines_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(waits, "BLOCKING", {"aten::_local_scalar_dense"})
    spec = importlib.util.spec_from_file_location("program", tmp_path / "program.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with profile(activities=[ProfilerActivity.CPU], with_stack=True) as profiler:
        module.run()
    profiler.export_chrome_trace("trace.json")
    assert main(["trace.json"], ".", "never", 0.0, "json") == 0
    (record,) = json.loads(capsys.readouterr().out)
    found = {tuple(line["lines"]): (line["verdict"], line["count"]) for line in record["lines"]}
    assert found == {(8,): ("confirmed", 3), (14,): ("confirmed", 3)}
