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


def test_what_waits_in_a_thread_of_the_engine_has_the_stack_of_the_call() -> None:
    def event(name: str, start: int, thread: int, row: int, *children: SimpleNamespace) -> SimpleNamespace:
        fields = SimpleNamespace(caller=SimpleNamespace(file_name="program.py", line_number=row) if row else None)
        found = SimpleNamespace(name=name, children=children, parent=None, extra_fields=fields, start_tid=thread)
        found.start_time_ns, found.duration_time_ns = start * 1000, (1000 - start) * 1000
        for each in children:
            each.parent = found
        return found

    engine = "<built-in method run_backward of torch._C._EngineBase object at 0x1>"
    called = event("program.py(1): step", 0, 1, 0, event(engine, 1, 1, 22))
    waited = event("autograd::engine::evaluate_function: X", 2, 2, 0, event("cudaStreamSynchronize", 3, 2, 0))
    tree = SimpleNamespace(experimental_event_tree=lambda: [waited, called])
    (wait,) = profiled.trace_of_profiler(SimpleNamespace(kineto_results=tree)).waits
    assert [(span.name.split()[0], span.caller) for span in wait.spans] == [
        ("program.py(1):", ""),
        ("<built-in", "program.py:22"),
        ("autograd::engine::evaluate_function:", ""),
    ]
