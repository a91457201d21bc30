"""The runs of several ranks, joined to one verdict for each report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from synclint.lint.cli import cli

from .test_compare import line, write


def ranks(*files: Path) -> Result:
    return CliRunner().invoke(cli, ["ranks", *map(str, files)], standalone_mode=False)


def quiet(row: int, verdict: str, *codes: str) -> dict[str, Any]:
    return line(row, "", 0, verdict=verdict, codes=list(codes), operators=[], kinds=[])


def told(result: Result) -> list[list[str]]:
    assert result.exception is None, result.output
    return [row.split() for row in result.output.splitlines() if "train.py" in row]


def test_a_line_waits_if_it_waits_on_any_rank(tmp_path: Path) -> None:
    one = write(
        tmp_path / "0.json", line(3, "a", 2), quiet(5, "not reached", "SYNC102"), quiet(7, "refuted", "SYNC103")
    )
    two = write(
        tmp_path / "1.json",
        quiet(3, "refuted", "SYNC101"),
        quiet(5, "refuted", "SYNC102"),
        quiet(7, "refuted", "SYNC103"),
    )
    assert told(ranks(one, two)) == [
        ["confirmed", "2", "train.py:3", "SYNC101", "0"],
        ["refuted", "-", "train.py:5", "SYNC102", "1"],
        ["refuted", "-", "train.py:7", "SYNC103", "0,1"],
    ]


def test_what_no_rank_reports_is_missed(tmp_path: Path) -> None:
    one = write(tmp_path / "0.json", line(3, "a", 1, verdict="missed", codes=[]))
    two = write(tmp_path / "1.json", line(3, "a", 4, verdict="missed", codes=[]))
    assert told(ranks(one, two)) == [["missed", "4", "train.py:3", "-", "0,1"]]


def test_each_report_of_a_line_is_judged_by_itself(tmp_path: Path) -> None:
    one = write(tmp_path / "0.json", line(3, "a", 1), quiet(3, "refuted", "SYNC301"))
    two = write(tmp_path / "1.json", quiet(3, "refuted", "SYNC101"), line(3, "a", 2, codes=["SYNC301"]))
    found = {row[3]: row[0] for row in told(ranks(one, two))}
    assert found == {"SYNC101": "confirmed", "SYNC301": "confirmed"}


def test_a_file_that_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "0.json").write_text("{}")
    assert "is not a report of a run" in str(ranks(tmp_path / "0.json").exception.message)  # type: ignore[union-attr]
