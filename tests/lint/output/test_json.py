"""The stable rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
from synclint.lint.finding import Finding, Frequency, Level, Severity, Span
from synclint.lint.output.json import render

SCHEMA = json.loads(Path(__file__).with_name("finding.schema.json").read_text())


def rows(*findings: Finding) -> list[dict[str, object]]:
    text = "\n".join(render(findings))
    assert text.isascii()
    found: list[dict[str, object]] = json.loads(text)
    jsonschema.validate(found, SCHEMA, format_checker=jsonschema.FormatChecker())
    return found


def test_a_row(finding: Callable[..., Finding]) -> None:
    assert rows(finding()) == [
        {
            "code": "SYNC101",
            "name": "item-call",
            "message": "`loss.item()` waits for the device",
            "filename": "train.py",
            "location": {"row": 2, "column": 5},
            "end_location": {"row": 2, "column": 16},
            "severity": "error",
            "frequency": "every step",
            "confidence": "certain",
            "reasons": [
                {"message": "`model` moved to the GPU", "filename": "model.py", "location": {"row": 7, "column": 3}},
                {"message": "a tensor by its use", "filename": None, "location": None},
                {
                    "message": "the loop iterates a DataLoader",
                    "filename": "train.py",
                    "location": {"row": 1, "column": 1},
                },
            ],
            "fix": None,
            "url": "https://github.com/synclint/synclint/blob/main/docs/rules/item-call.md",
        }
    ]


def test_every_level_is_in_the_schema(finding: Callable[..., Finding]) -> None:
    levels = [finding(frequency=Frequency(level)) for level in Level]
    assert len(rows(*levels, finding(severity=Severity.NOTE))) == len(levels) + 1


def test_nothing_found() -> None:
    assert rows() == []


def test_hostile_names(finding: Callable[..., Finding]) -> None:
    name = "\x1b[31m\n\u202e\udc80.py"
    assert rows(finding(span=Span(name, 1, 1, 1, 1)))[0]["filename"] == name
