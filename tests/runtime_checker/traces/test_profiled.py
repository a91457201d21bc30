"""A trace by torch's own profiler: on the host the operators are the same, and stand for the calls that block."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")

import synclint  # noqa: E402
from synclint.runtime_checker.traces import profiled, waits  # noqa: E402
from synclint.runtime_checker.traces.command import Limits, main  # noqa: E402
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


@pytest.fixture
def profiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> profile:
    """The profiler of a run, in the directory of the program."""
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    for reader in (waits, profiled):
        monkeypatch.setattr(reader, "BLOCKING", {"aten::_local_scalar_dense"})
    spec = importlib.util.spec_from_file_location("program", tmp_path / "program.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with profile(activities=[ProfilerActivity.CPU], with_stack=True) as profiler:
        module.run()
    return profiler


def test_lines_are_found(profiler: profile, capsys: pytest.CaptureFixture[str]) -> None:
    profiler.export_chrome_trace("trace.json")
    assert main(["trace.json"], ".", "json", Limits()) == 0
    (record,) = json.loads(capsys.readouterr().out)
    found = {tuple(line["lines"]): (line["verdict"], line["count"]) for line in record["lines"]}
    assert found == {(8,): ("confirmed", 3), (14,): ("confirmed", 3)}


def test_a_profiler_is_joined_as_its_trace_is(profiler: profile) -> None:
    joined = synclint.join_profile(profiler)
    assert {match.rows: (match.verdict, match.certainty, len(match.waits)) for match in joined.matches} == {
        (8,): ("confirmed", "exact", 3),  # the trace itself would not tell the line
        (14,): ("confirmed", "certain", 3),
    }
    assert all(match.seconds > 0 for match in joined.matches)


def test_steps_are_counted() -> None:
    with profile(activities=[ProfilerActivity.CPU], with_stack=True) as profiler:
        for _ in range(2):
            with torch.profiler.record_function("ProfilerStep#1"):
                torch.ones(1)
    assert profiled.trace_of_profiler(profiler).steps == 2


def test_a_profiler_that_has_recorded_nothing() -> None:
    with pytest.raises(ValueError, match="has recorded nothing: join it after it has stopped"):
        synclint.join_profile(profile(activities=[ProfilerActivity.CPU]))


def test_a_name_that_is_no_text_is_none_of_an_event() -> None:
    class Unreadable:
        """What the profiler gives for a function whose memory is gone."""

        children = ()

        @property
        def name(self) -> str:
            return b"\x80".decode()

    tree = SimpleNamespace(experimental_event_tree=lambda: [Unreadable()])
    found = profiled.trace_of_profiler(SimpleNamespace(kineto_results=tree))
    assert (found.waits, found.steps, found.functions) == ([], 0, set())
