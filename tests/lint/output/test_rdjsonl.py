"""Reviewdog's format, whose columns are bytes, and pylint's lines, which count them from 0."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from synclint.lint.finding import Finding, Severity, Span
from synclint.lint.home import HOME

Make = Callable[..., Finding]
Render = Callable[..., list[str]]
LINE = "a𐐀é = 'e\u0301'; f(日)"


@pytest.fixture
def rows(rendered: Render, is_valid: Callable[[object, str], None]) -> Callable[..., list[dict[str, Any]]]:
    """The diagnostics, each of them valid."""

    def parse(*findings: Finding, **more: Any) -> list[dict[str, Any]]:
        found = [json.loads(line) for line in rendered("rdjsonl", *findings, **more)]
        for each in found:
            is_valid(each, "rdf-diagnostic")
        return found

    return parse


def test_a_diagnostic(finding: Make, rows: Callable[..., list[dict[str, Any]]]) -> None:
    assert rows(finding()) == [
        {
            "message": "`loss.item()` waits for the device\nthe loop iterates a DataLoader\nKeep the tensor.",
            "location": {
                "path": "train.py",
                "range": {"start": {"line": 2, "column": 5}, "end": {"line": 2, "column": 16}},
            },
            "severity": "ERROR",
            "source": {"name": "synclint", "url": HOME},
            "code": {
                "value": "SYNC101",
                "url": f"{HOME}/blob/main/docs/rules/item-call.md",
            },
        }
    ]
    severities = [finding(severity=each) for each in (Severity.ERROR, Severity.WARNING, Severity.NOTE)]
    assert [row["severity"] for row in rows(*severities)] == ["ERROR", "WARNING", "INFO"]


@pytest.mark.parametrize("part", ["a", "𐐀", "é", "= 'e\u0301'", "f(日)", ")"])
def test_a_range_cuts_the_same_text_out_of_the_bytes(
    finding: Make, rows: Callable[..., list[dict[str, Any]]], part: str
) -> None:
    start = LINE.index(part)
    span = Span("a.py", 1, start + 1, 1, start + len(part) + 1)
    (row,) = rows(finding(span=span), lines=[LINE])
    where = row["location"]["range"]
    assert LINE.encode()[where["start"]["column"] - 1 : where["end"]["column"] - 1].decode() == part


def test_each_end_counts_in_its_own_line(finding: Make, rows: Callable[..., list[dict[str, Any]]]) -> None:
    (row,) = rows(finding(span=Span("a.py", 1, 3, 2, 3)), lines=["日本x", "ééx"])
    where = row["location"]["range"]
    assert (where["start"]["column"], where["end"]["column"]) == (7, 5)


def test_a_file_that_is_gone_keeps_its_columns(finding: Make, rows: Callable[..., list[dict[str, Any]]]) -> None:
    (row,) = rows(finding(span=Span("a.py", 9, 3, 9, 4)), lines=["日本x"])
    assert row["location"]["range"]["start"] == {"line": 9, "column": 3}


def test_lines_of_pylint(finding: Make, rendered: Render) -> None:
    assert rendered("pylint", finding(span=Span("a.py", 1, 3, 1, 4)), lines=["日本x"]) == [
        "a.py:1:6: SYNC101 (item-call) `loss.item()` waits for the device"
    ]
