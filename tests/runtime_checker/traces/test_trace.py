"""Traces of a real run: what is read from them, which lines they are joined with, and what is wrong with a file."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from synclint.runtime_checker.traces import reading
from synclint.runtime_checker.traces.command import Limits, main
from synclint.runtime_checker.traces.reading import TraceError, events
from synclint.runtime_checker.traces.waits import trace_of

PROGRAM = """
import torch


def log(loss):
    return loss.item()


def twice(loss, other):
    a = loss.item()
    b = other.item()
    return a + b


def several(loss):
    for _ in range(3):
        a = loss.item()
    return a + loss.item()


def quiet(loss):
    return loss.item()


def hidden(value):
    return value.item()


def run():
    model = torch.nn.Linear(4, 2, device="cuda")
    for _ in range(2):
        x = torch.ones(8, 4, device="cuda")
        loss = model(x).sum()
        loss.backward()
        log(loss)
        twice(loss, loss * 2)
        several(loss)
        hidden(loss)
"""


def span(name: str, start: float, duration: float, cat: str = "python_function", **args: Any) -> dict[str, Any]:
    return {"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 1, "ts": start, "dur": duration, "args": args}


def wait(start: float, milliseconds: float, operator: str = "item") -> list[dict[str, Any]]:
    """An operator with the call of the runtime that blocks in it."""
    micro = milliseconds * 1000
    return [
        span(f"<built-in method {operator} of Tensor object at 0x1>", start, micro),
        span(f"aten::{operator}", start, micro, "cpu_op"),
        span("cudaStreamSynchronize", start, micro, "cuda_runtime"),
    ]


def functions(*calls: tuple[str, float, int]) -> list[dict[str, Any]]:
    """Calls of functions of the program: the event's name, when, and how many waits of one millisecond."""
    found = [span("/root/train/train.py(27): run", 0, 1e6)]
    for name, start, waits in calls:
        found.append(span(f"/root/train/train.py{name}", start, 10_000))
        found += [event for at in range(waits) for event in wait(start + 1 + at * 2000, 1)]
    return found


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "train.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


Read = Callable[..., dict[str, Any]]


@pytest.fixture
def read(project: Path, capsys: pytest.CaptureFixture[str]) -> Read:
    """The first record that the command prints about a trace of these events."""

    def read(found: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
        (project / "trace.json").write_text(json.dumps({"traceEvents": found}))
        code = main(["trace.json"], ".", "json", Limits(**options))
        record: dict[str, Any] = json.loads(capsys.readouterr().out)[0]
        return {**record, "code": code}

    return read


def lines(record: dict[str, Any]) -> dict[tuple[int, ...], tuple[str, str, int]]:
    return {tuple(line["lines"]): (line["verdict"], line["match"], line["count"]) for line in record["lines"]}


def test_the_stacks_that_the_first_profilers_wrote_into_operators(read: Read) -> None:
    """They have the calling line of each function, innermost first; that of an annotation is further out."""
    stack = "/root/train/train.py(33): run;/root/train/main.py(3): <module>"
    found = read(
        [
            span("ProfilerStep#1", 0, 9000, "Operator", **{"Call stack": "/root/train/main.py(2): <module>"}),
            span("aten::mul", 10, 5000, "Operator", **{"Call stack": stack}),
            span("aten::item", 20, 3000, "Operator", **{"Call stack": stack}),
            span("cudaStreamSynchronize", 30, 2000, "Runtime"),
        ]
    )
    assert (found["waits"], found["steps"]) == (1, 1)
    assert lines(found)[33,] == ("not reported", "exact", 1)
    assert found["lines"][0]["operator"] == "mul"
    assert (found["lines"][0]["function"], found["lines"][0]["blocked_ms"]) == ("run", 2.0)


def test_a_trace_that_was_made_on_windows(read: Read) -> None:
    found = read([span(r"C:\\Users\\me\\train.py(5): log", 0, 1e6), *wait(10, 2)])
    assert lines(found)[6,] == ("confirmed", "certain", 1)


def test_a_trace_of_the_host_alone_says_nothing_about_waits(
    project: Path, read: Read, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read(functions(("(5): log", 10, 0)))["lines"] == []
    main(["trace.json"], ".", "text", Limits())
    assert "the trace has no calls of the CUDA runtime" in capsys.readouterr().out


def test_a_finding_about_set_up_is_not_one_that_was_never_seen(project: Path, read: Read) -> None:
    """A loader waits where its batches are copied, not where it is made."""
    loop = "for x in torch.utils.data.DataLoader([1]):\n    y = torch.ones(3).cuda()\n    x.cuda()\n    y.tolist()\n"
    (project / "train.py").write_text(f"import torch\n{loop}")
    found = read([span("train.py(1): <module>", 0, 1e6), *wait(10, 1, "cuda")])
    assert {code for line in found["lines"] for code in line["codes"]} == {"SYNC301", "SYNC302", "SYNC102"}


def test_waits_are_joined_by_function_operator_and_order(read: Read) -> None:
    calls = [("(5): log", 1000, 1), ("(9): twice", 20_000, 2), ("(15): several", 50_000, 4), ("(21): quiet", 90_000, 0)]
    record = read(functions(*calls))
    found = lines(record)
    assert found[(6,)] == ("confirmed", "certain", 1)
    assert found[(10,)] == ("confirmed", "by order", 1)
    assert found[(11,)] == ("confirmed", "by order", 1)
    assert found[(17, 18)] == ("confirmed", "one of several", 4)
    assert found[(22,)] == ("never seen", None, 0)
    assert (record["waits"], record["blocked_ms"], record["elsewhere"]) == (7, pytest.approx(7), 0)


def test_what_no_rule_reports(read: Read) -> None:
    record = read([*functions(("(25): hidden", 1000, 0)), *wait(1001, 2, "unheard_of")])
    assert lines(record)[(25,)] == ("not reported", "function only", 1)


def test_newer_traces_know_the_calling_line(read: Read) -> None:
    found = functions(("(15): several", 1000, 1))
    found[2]["args"]["CallFrom"] = "/root/train/train.py:18"
    assert lines(read(found))[(18,)] == ("confirmed", "exact", 1)


def test_other_threads_libraries_and_the_profiler_itself(read: Read) -> None:
    other = {**wait(1002, 1)[2], "tid": 2}
    own = [span("torch/autograd/profiler.py(400): __exit__", 5e6, 10), span("cudaDeviceSynchronize", 5e6 + 1, 3)]
    library = [span("/x/site-packages/lib/train.py(5): log", 7e6, 9000), *wait(7e6 + 1, 1)]
    record = read([*functions(("(5): log", 1000, 1)), other, *own, *library])
    assert (record["waits"], record["elsewhere"]) == (3, 2)
    assert lines(record)[(6,)][2] == 1


BACKWARD = (
    span("/root/train/train.py(29): run", 0, 1e6),
    span("torch/_tensor.py(5): backward", 1000, 9000),
    span("<built-in method run_backward of torch._C._EngineBase object at 0x1>", 1100, 8000),
)
NODE = span("autograd::engine::evaluate_function: IndexBackward0", 2000, 3000, "cpu_op")


@pytest.mark.parametrize(
    ("events", "row", "where"),
    [
        pytest.param([NODE], 34, {}, id="the line that called backward"),
        pytest.param([NODE, span("/root/train/train.py(5): log", 2500, 2000)], 6, {}, id="a function of the program"),
        pytest.param([NODE], None, {"ts": 20_000}, id="no call of the engine is under way"),
        pytest.param([NODE], None, {"pid": 2}, id="another process"),
        pytest.param([], None, {}, id="another thread, not of the engine"),
        pytest.param([BACKWARD[2], {**NODE, "ts": 2001}], None, {}, id="one that called the engine itself"),
    ],
)
def test_what_waits_in_a_thread_of_the_engine(
    read: Read, events: list[dict[str, Any]], row: int | None, where: dict[str, Any]
) -> None:
    begun = where.get("ts", 0)
    inside = [{**each, "tid": 2, **where, "ts": each["ts"] + begun} for each in (*events, *wait(3000, 1))]
    record = read([*BACKWARD, *inside])
    assert [rows for rows, (_, _, count) in lines(record).items() if count] == ([(row,)] if row else [])
    assert record["elsewhere"] == (row is None)


@pytest.mark.parametrize(
    ("fail_on", "at_least", "code"), [("never", 0, 0), ("confirmed", 0, 1), ("confirmed", 5, 0), ("not-reported", 0, 0)]
)
def test_a_run_of_ci_fails(read: Read, fail_on: str, at_least: float, code: int) -> None:
    found = functions(("(5): log", 1000, 1))
    assert read(found, fail_on=fail_on, at_least=at_least)["code"] == code


@pytest.mark.parametrize("limits", [{"fail_on": "any"}, {"fail_on": "confirmed"}])
def test_a_trace_that_tells_nothing_about_waits_does_not_pass(read: Read, limits: dict[str, Any]) -> None:
    found = [each for each in functions(("(5): log", 1000, 1)) if each["cat"] != "cuda_runtime"]
    assert read(found)["code"] == 0
    with pytest.raises(click.ClickException, match="no waits were recorded, so the check cannot pass"):
        read(found, **limits)


def test_any_wait_is_any_wait(read: Read) -> None:
    """Even one that a trace without stacks puts on no line."""
    assert read(wait(1000, 1), fail_on="any")["code"] == 1
    assert read(wait(1000, 1), fail_on="any", at_least=2)["code"] == 0
    assert read(wait(1000, 1), fail_on="confirmed")["code"] == 0


def log_of(milliseconds: float, steps: int = 0) -> list[dict[str, Any]]:
    """A trace in which `log` waits once, for that long."""
    marks = [span(f"ProfilerStep#{at}", at, 1, "user_annotation") for at in range(steps)]
    return [*marks, *functions(("(5): log", 1000, 0)), *wait(1001, milliseconds)]


@pytest.fixture
def measured(project: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """What is said, and the exit code, for a trace after an earlier one."""

    def measured(before: list[dict[str, Any]], now: list[dict[str, Any]], **limits: Any) -> tuple[int, str]:
        for name, found, form, given in (
            ("before.json", before, "json", Limits()),
            ("now.json", now, "table", Limits(baseline="baseline.json", **limits)),
        ):
            (project / name).write_text(json.dumps(found))
            code = main([name], ".", form, given)
            (project / "baseline.json").write_text(printed := capsys.readouterr().out)
        return code, printed

    return measured


@pytest.mark.parametrize(
    ("before", "now", "limits", "code"),
    [
        pytest.param(log_of(5), log_of(5.4), {}, 0, id="within the tolerance"),
        pytest.param(log_of(5), log_of(5.6), {}, 1, id="longer"),
        pytest.param(log_of(5), log_of(5.6), {"tolerance": 20}, 0, id="a larger tolerance"),
        pytest.param(log_of(5), log_of(5.6), {"at_least": 1}, 0, id="by too little"),
        pytest.param(log_of(5), log_of(1), {}, 0, id="shorter"),
        pytest.param(functions(("(5): log", 1000, 0)), log_of(1), {}, 1, id="a line that did not wait"),
        pytest.param(log_of(5, steps=1), log_of(8, steps=2), {}, 0, id="less in each step"),
    ],
)
def test_a_baseline(
    measured: Callable[..., tuple[int, str]], before: Any, now: Any, limits: dict[str, Any], code: int
) -> None:
    found, printed = measured(before, now, **limits)
    assert found == code
    assert f"synclint: {code} line{'s' * (not code)} blocked longer than in baseline.json." in printed


def test_a_line_that_moves_keeps_its_baseline(project: Path, measured: Callable[..., tuple[int, str]]) -> None:
    measured(log_of(5), log_of(0))
    (project / "train.py").write_text("#\n" + PROGRAM)
    moved = [{**each, "name": each["name"].replace("(5): log", "(6): log")} for each in log_of(7)]
    code, printed = measured(log_of(5), moved)
    assert code == 1
    assert "train.py:7: 7.00 ms per trace, 5.00 ms before" in printed


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[3]", '[{"lines": [{}]}]', '[{"lines": [{"filename": "a", "function": "b", "blocked_ms": "x"}]}]'],
)
def test_what_is_no_baseline(project: Path, text: str) -> None:
    (project / "trace.json").write_text("[]")
    (project / "b.json").write_text(text)
    with pytest.raises(click.ClickException, match=r"b\.json is not a report of traces: .*; write one by"):
        main(["trace.json"], ".", "table", Limits(baseline="b.json"))


def test_the_table(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = [span(f"ProfilerStep#{at}", at, 1, "user_annotation") for at in range(2)]
    with gzip.open("trace.json.gz", "wt") as file:
        json.dump([*steps, *functions(("(5): log", 1000, 1)), *({**each, "tid": 9} for each in wait(5e6, 3))], file)
    assert main(["trace.json.gz"], ".", "table", Limits()) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "synclint: trace.json.gz: 2 waits, 4.00 ms blocked, 2 steps, 2.00 ms of it per step."
    assert printed[2].split() == ["confirmed", "1", "1.00", "train.py:6", "SYNC101", "item", "certain"]
    assert "1 wait, 3.00 ms, on no line of the project" in printed[-3]
    assert "with_stack=True" in printed[-2]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no `traceEvents`"),
        (b"{}", "no `traceEvents`"),
        (b"\x00\xff\xfe", "not text"),
        (b'{"traceEvents": {}}', "is not a list"),
        (b'{"traceEvents": [{"a": 1}, {"b"', "truncated or damaged"),
        (b'{"traceEvents": [{"a": 1}', "truncated"),
        (b'{"traceEvents": [1]}', "is not an object"),
        (b'{"traceEvents": [' + b"[" * 200_000, "too deeply nested"),
        (b"\x1f\x8b\x08\x00junk", "trace"),
        (gzip.compress(b'{"traceEvents": [{"a": 1}, {"b": 2}]}', mtime=0)[:-12], "end"),
        (b"SQLite format 3\x00 and nothing", "not an export of Nsight Systems"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "trace"
    path.write_bytes(data)
    with pytest.raises(TraceError, match=message) as raised:
        trace_of(path)
    assert "\n" not in str(raised.value)


def test_an_event_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST_EVENT", 1000)
    (tmp_path / "trace").write_text('{"traceEvents": [{"a": "' + "x" * 5000)
    with pytest.raises(TraceError, match="longer than"):
        list(events(tmp_path / "trace"))


def test_events_are_read_across_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_PIECE", 7)
    found = [{"name": "é", "n": at} for at in range(30)]
    (tmp_path / "trace").write_text(json.dumps({"schemaVersion": 1, "traceEvents": found}, ensure_ascii=False))
    assert list(events(tmp_path / "trace")) == found


def test_an_export_of_nsight_systems(tmp_path: Path) -> None:
    path = tmp_path / "report.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)")
        database.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, globalTid INT, nameId INT)")
        names = [(1, "cudaStreamSynchronize_v3020"), (2, "cudaLaunchKernel_v7000")]
        database.executemany("INSERT INTO StringIds VALUES (?, ?)", names)
        calls = [(10, 2_000_010, 1, 1), (20, 30, 1, 2)]
        database.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, ?, ?)", calls)
    database.close()
    assert [(wait.call, wait.seconds) for wait in trace_of(path).waits] == [("cudaStreamSynchronize", 0.002)]


def test_a_packed_trace_does_not_unpack_without_end(tmp_path: Path) -> None:
    from synclint.runtime_checker.traces import reading

    file = tmp_path / "bomb.json.gz"
    with gzip.open(file, "wb", compresslevel=9) as packed:
        packed.write(b'{"other": "')
        for _ in range(100):
            packed.write(b" " * (1 << 20))
    with pytest.raises(reading.TraceError, match="larger than 64 MiB"):
        list(reading.events(file))
