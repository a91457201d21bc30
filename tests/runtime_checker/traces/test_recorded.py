"""A trace that torch.profiler has recorded on a GPU (NVIDIA H200, torch 2.11): of its six steps, the second and third.

`program_traced.py` is the program; where its waits are is known from `synclint run` on the same GPU.
"""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from synclint.runtime_checker.traces.command import Limits, main

RECORDED = Path(__file__).parent / "h200"

LINES = {
    9: ("confirmed", "certain", 2, "item"),
    13: ("confirmed", "certain", 2, "index"),
    17: ("confirmed", "certain", 4, "to"),
    22: ("not reported", "certain", 2, "backward"),  # the mask of line 13 again, in the thread of the engine
    24: ("confirmed", "certain", 2, "is_nonzero"),
    26: ("confirmed", "certain", 2, "unique"),
    27: ("confirmed", "certain", 2, "item"),
    32: ("not reported", "certain", 4, "to"),  # the parameters of the model, once
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(RECORDED / "program_traced.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def read(project: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[list[dict[str, Any]]], dict[str, Any]]:
    """The record that the command prints about a trace of these events."""

    def read(events: list[dict[str, Any]]) -> dict[str, Any]:
        (project / "trace.json").write_text(json.dumps(events))
        main(["trace.json"], ".", "json", Limits())
        record: dict[str, Any] = json.loads(capsys.readouterr().out)[0]
        return record

    return read


def recorded() -> list[dict[str, Any]]:
    with gzip.open(RECORDED / "trace.json.gz") as file:
        events: list[dict[str, Any]] = json.load(file)["traceEvents"]
    return events


def test_each_wait_is_where_it_was(read: Callable[[list[dict[str, Any]]], dict[str, Any]]) -> None:
    record = read(recorded())
    found = {
        (*line["lines"],): (line["verdict"], line["match"], line["count"], line["operator"]) for line in record["lines"]
    }
    assert found == {(row,): expected for row, expected in LINES.items()}
    assert (record["waits"], record["elsewhere"]) == (20, 0)


def test_without_stacks_no_wait_is_on_a_line(read: Callable[[list[dict[str, Any]]], dict[str, Any]]) -> None:
    record = read([event for event in recorded() if event["cat"] != "python_function"])
    assert (record["waits"], record["elsewhere"], record["lines"]) == (20, 20, [])


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_one_that_is_cut_off_is_an_error_of_one_line(project: Path, share: float) -> None:
    data = (RECORDED / "trace.json.gz").read_bytes()
    (project / "packed.json.gz").write_bytes(data[: int(len(data) * share)])
    text = gzip.decompress(data)
    (project / "plain.json").write_bytes(text[: int(len(text) * share)])
    for name in ("packed.json.gz", "plain.json"):
        with pytest.raises(click.ClickException) as raised:
            main([name], ".", "text", Limits())
        assert "\n" not in raised.value.message
