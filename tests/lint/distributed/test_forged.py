"""Summaries and findings that somebody has forged cost one clear line, whatever is in them.

`tests/fuzz/forged.py` makes the mutations, and tries them all.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from synclint.lint.distributed import parts
from synclint.lint.distributed.parts import FINDINGS, SUMMARY

Synclint = Callable[..., str]


def _forged() -> ModuleType:
    path = Path(__file__).parents[2] / "fuzz/forged.py"
    spec = importlib.util.spec_from_file_location("forged", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["forged"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FORGED = _forged()


@pytest.fixture
def records(here: Path) -> list[Any]:
    """The records of a program: two summaries, and its findings."""
    return [every[at] for every, at in FORGED.prepared()]


def outcome(synclint: Synclint, record: Any, line: int | None = None, text: str = "") -> str:
    """What is said of a record, of which a line is another."""
    texts = ["\n".join(json.dumps(each) for each in rows) for rows in record.lines]
    if line is not None:
        texts[line] = text
    Path("forged").write_bytes(parts.written(record.kind, texts, **record.header))
    command = ("merge", "forged") if record.kind == FINDINGS else ("link", "forged", "--open-world", "-o", "found")
    return synclint(*command, code=2)


def test_a_value_of_another_type_anywhere(here: Path) -> None:
    bad = [(what, wrong) for what, wrong in FORGED.tried(FORGED.everything(Random(0))[:250]) if wrong]
    assert not bad


@pytest.mark.parametrize("number", [-1, 10**6, 1.0, "1", None, [1], float("nan")])
def test_a_row_that_refers_to_none(records: list[Any], synclint: Synclint, number: object) -> None:
    for record in records:
        rows = next(iter(record.lines[0]))
        place = next(row for row in rows if isinstance(row, list) and len(row) > 2)
        place[1] = number
        assert ("not what was stored" in outcome(synclint, record)) == (record.kind == SUMMARY)
        assert outcome(synclint, record).count("\n") == 1


def grown(rows: list[Any], times: int, *, twice: bool) -> list[Any]:
    """Rows of the constant in a value, which is nested in itself so many times, once or twice each time."""
    *rows, last = rows
    (tuple_,) = {row[0] for row in rows if isinstance(row, list) and len(row) == 1 and row[0] == 7}
    made = [*rows, [1, 5]]
    for _ in range(times):
        made.append([tuple_, *[len(made) - 1] * (1 + twice)])
    return [*made, last]


@pytest.mark.parametrize(("times", "twice"), [(60, True), (100_000, False)])
def test_data_without_end(records: list[Any], synclint: Synclint, times: int, twice: bool) -> None:
    record = records[0]
    rows = next(iter(record.lines[0]))
    told = outcome(synclint, record, 0, json.dumps(grown(rows, times, twice=twice)))
    assert "nested too deeply; summarize it again" in told


def test_another_source(records: list[Any], synclint: Synclint) -> None:
    assert "does not match the file's contents" in outcome(synclint, records[0], 2, '"import os"')
    assert "does not match the file's contents" in outcome(synclint, records[0], 2, '"\\u20ac"')


def test_what_has_the_form_and_makes_no_sense(records: list[Any], synclint: Synclint) -> None:
    """Where it leads to an error, reading the source tells whose fault that is."""
    record = records[0]
    rows = next(iter(record.lines[0]))
    first_of_two = rows.index("0/2")
    rows[first_of_two] = "torch.Tensor.item"
    assert "a.py: its summary, or that of a file it uses, is wrong" in outcome(synclint, record)


def test_a_directory(here: Path, synclint: Synclint) -> None:
    (here / "records").mkdir()
    told = synclint("link", "records", "--open-world", "-o", "found", code=2)
    assert told.startswith("synclint: records: ")
    assert told.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="pipes have names only there")
def test_a_pipe_that_nobody_writes_to(here: Path, synclint: Synclint) -> None:
    os.mkfifo(here / "records")
    assert synclint("merge", "records", code=2).startswith("synclint: records: ")
