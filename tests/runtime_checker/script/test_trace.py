"""Runs as traces: what the viewers' formats require, and what a wait becomes in them."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from synclint.runtime_checker.observe import Wait
from synclint.runtime_checker.script.steps import Steps
from synclint.runtime_checker.script.trace import traced

SCHEMA = Path(__file__).parent / "speedscope.schema.json"
"""`file-format-schema.json` of speedscope 1.25.0 (MIT licence)."""
STACK = (("/project/train.py", 9, "<module>"), ("/project/train.py", 4, "step"))


def wait(ended: float, seconds: float | None, thread: int = 7) -> Wait:
    return Wait("/project/train.py", 4, "item", "reads value", seconds, None, STACK, ended, thread)


def trace(path: str, *waits: Wait) -> Any:
    return json.loads("\n".join(traced(path, "a device", Steps(waits, marks=[(1, 11.0), (2, 12.0)], started=10.0))))


def test_chrome_knows_spans_steps_and_threads() -> None:
    events = trace("x.json", wait(11.5, 0.25), wait(11.75, None, 8))["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    assert [(event["name"], event["ts"], event["dur"]) for event in spans] == [
        ("step 1", 0, 1e6),
        ("step 2", 1e6, 1e6),
        ("item", 1.25e6, 0.25e6),
    ]
    (instant,) = (event for event in events if event["ph"] == "i")
    assert (instant["ts"], instant["tid"], instant["s"]) == (1.75e6, 8, "t")
    assert instant["args"] == {
        "line": "/project/train.py:4",
        "kind": "reads value",
        "stack": ["/project/train.py:9 <module>", "/project/train.py:4 step"],
    }


def test_spans_of_a_thread_do_not_overlap() -> None:
    ends = [10 + at * 0.0123456789 for at in range(1, 300)]
    steps = Steps([wait(end, 0.02) for end in ends], marks=[(at, end) for at, end in enumerate(ends)], started=10.0)
    found = json.loads("\n".join(traced("x.json", "a device", steps)))["traceEvents"]
    for thread in (0, 7):
        spans = [
            (event["ts"], event["ts"] + event["dur"]) for event in found if event["tid"] == thread and "ts" in event
        ]
        assert len(spans) == len(ends)
        assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_speedscope_reads_what_its_schema_allows() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for waits in ((wait(11.5, 0.25), wait(11.75, 0.5, 8)), (wait(11.5, None),), ()):
        jsonschema.validate(trace("x.speedscope.json", *waits), schema)


def test_speedscope_has_a_profile_of_each_thread() -> None:
    record = trace("x.speedscope.json", wait(11.5, 0.25), wait(11.75, 0.5, 8), wait(12.0, 0.25))
    assert record["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = record["shared"]["frames"]
    assert [[frames[at]["name"] for at in sample] for sample in record["profiles"][0]["samples"]] == [
        ["<module>", "step", "item (reads value)"]
    ] * 2
    assert [(each["weights"], each["endValue"], each["unit"]) for each in record["profiles"]] == [
        ([250000.0, 250000.0], 500000.0, "microseconds"),
        ([500000.0], 500000.0, "microseconds"),
    ]


def test_without_a_clock_each_wait_counts_once() -> None:
    (profile,) = trace("x.speedscope.json", wait(11.5, None), wait(12.0, None))["profiles"]
    assert (profile["weights"], profile["unit"]) == ([1, 1], "none")
