"""Files of evidence: what is written is read again, follows the schema, and merges; what is wrong is one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from synclint.lint.fields import FieldError
from synclint.lint.measurements.entries import Entry, Evidence, Key, Run, function_of
from synclint.lint.measurements.reading import evidence, read
from synclint.lint.measurements.writing import record

SCHEMA = Path(__file__).parents[3] / "lint/schemas/evidence.json"
RUN = Run("train.py", "NVIDIA H100", "2026-11-26", 40, versions=(("torch", "2.15.0"),))
ENTRY = Entry(Key("src/train.py", "step", "loss.item()", "SYNC101", 1), RUN.name, 1.0, 3.14, 40, 43, ("reads value",))


def of(run: Run, *entries: Entry) -> Evidence:
    return Evidence({run.name: run}, tuple(replace(each, run=run.name) for each in entries))


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "new" / "evidence.json"
    quiet = replace(ENTRY, key=ENTRY.key._replace(statement="a\u2028 = 'é\ud800'"), ms=None, count=0, waits=0.0)
    record(file, of(RUN, quiet, ENTRY))
    assert read(file) == of(RUN, quiet, ENTRY)


def test_what_is_written_follows_the_schema(tmp_path: Path) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    record(tmp_path / "e.json", of(RUN, ENTRY, replace(ENTRY, ms=None)))
    jsonschema.validate(json.loads((tmp_path / "e.json").read_text()), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"version": 1, "runs": {}, "lines": [{}]}, schema)


def test_a_later_run_takes_the_place_of_one_of_the_same_name_and_others_stay(tmp_path: Path) -> None:
    file = tmp_path / "e.json"
    other = replace(RUN, rank=1)
    record(file, of(other, ENTRY))
    record(file, of(RUN, ENTRY))
    record(file, of(replace(RUN, steps=80), replace(ENTRY, waits=2.0)))
    found = read(file)
    assert {name: run.steps for name, run in found.runs.items()} == {RUN.name: 80, other.name: 40}
    assert sorted((each.run, each.waits) for each in found.entries) == [(RUN.name, 2.0), (other.name, 1.0)]


def test_the_order_of_runs_leaves_no_trace(tmp_path: Path) -> None:
    runs = [of(RUN, ENTRY), of(replace(RUN, program="eval.py"), ENTRY)]
    for name, order in (("a", runs), ("b", runs[::-1])):
        for each in order:
            record(tmp_path / name, each)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_several_files_are_one(tmp_path: Path) -> None:
    record(tmp_path / "a", of(RUN, ENTRY))
    record(tmp_path / "b", of(replace(RUN, rank=1), ENTRY))
    assert len(evidence([tmp_path / "a", tmp_path / "b"]).entries) == 2


def written(tmp_path: Path) -> dict[str, Any]:
    record(tmp_path / "e.json", of(RUN, ENTRY))
    found: dict[str, Any] = json.loads((tmp_path / "e.json").read_text())
    return found


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda file: file.update(version=2), "its `version` is not 1"),
        (lambda file: file.update(lines={}), "`lines` is missing or wrong"),
        (lambda file: file["lines"][0].update(run="another"), "`run` is none of its runs: another"),
        (lambda file: file["lines"][0].update(ms=1e300), "`ms` is wrong"),
        (lambda file: file["lines"][0].update(ms=float("nan")), "`ms` is wrong"),
        (lambda file: file["lines"][0].update(waits=-1), "less than nothing"),
        (lambda file: file["lines"][0].update(count=10**400), "`count` is wrong"),
        (lambda file: file["lines"][0].update(kinds="ab"), "`kinds` is missing or wrong"),
        (lambda file: file["runs"][RUN.name].update(date="yesterday"), "`date` is wrong"),
        (lambda file: file["runs"][RUN.name].update(steps=True), "`steps` is missing or wrong"),
    ],
)
def test_what_is_wrong_is_one_line(change: Any, says: str, tmp_path: Path) -> None:
    file = written(tmp_path)
    change(file)
    (tmp_path / "e.json").write_text(json.dumps(file))
    with pytest.raises(FieldError) as raised:
        read(tmp_path / "e.json")
    assert says in str(raised.value)
    assert "synclint run --record FILE" in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 100_000, b"[]", b"null", b'{"version": 1}'])
def test_what_is_no_evidence_is_one_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "e.json").write_bytes(content)
    with pytest.raises(FieldError, match="is not a file of evidence"):
        read(tmp_path / "e.json")


def test_no_pipe_is_waited_for(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "e.json")
    with pytest.raises(FieldError, match="named pipe"):
        read(tmp_path / "e.json")


@pytest.mark.parametrize(
    ("scope", "filename", "function"),
    [
        ("train.Net.forward", "src/train.py", "Net.forward"),
        ("src.train.step", "/a/src/train.py", "step"),
        ("pkg.step", "/a/pkg/__init__.py", "step"),
        ("train", "train.py", ""),
        ("", "train.py", ""),
        ("training.step", "train.py", "training.step"),
    ],
)
def test_functions_go_by_their_names_in_the_file(scope: str, filename: str, function: str) -> None:
    assert function_of(scope, filename) == function
