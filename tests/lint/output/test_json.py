"""The stable rows."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding, Frequency, Level, Severity, Span
from synclint.lint.home import HOME

ROUTE = {
    "frequency": "every step", "per": None, "assumed": False, "conditions": [], "off_by_default": [], "loop": None
}  # fmt: skip
Rows = Callable[..., list[dict[str, object]]]


@pytest.fixture
def rows(rendered: Callable[..., list[str]], is_valid: Callable[[object, str], None]) -> Rows:
    """The rows of findings, which are the same in both formats."""

    def parse(*findings: Finding) -> list[dict[str, object]]:
        text = "\n".join(rendered("json", *findings, notes=False))
        assert text.isascii()
        found: list[dict[str, object]] = json.loads(text)
        assert found == [json.loads(line) for line in rendered("json-lines", *findings, notes=False)]
        is_valid(found, "check")
        return found

    return parse


def test_a_row(finding: Callable[..., Finding], rows: Rows) -> None:
    assert rows(finding()) == [
        {
            "code": "SYNC101",
            "name": "item-call",
            "message": "`loss.item()` waits for the device",
            "filename": "train.py",
            "cell": None,
            "location": {"row": 2, "column": 5},
            "end_location": {"row": 2, "column": 16},
            "severity": "error",
            "frequency": "every step",
            "per": None,
            "conditions": [],
            "routes": [
                {
                    "frequency": "every step",
                    "per": None,
                    "assumed": False,
                    "conditions": [],
                    "off_by_default": [],
                    "loop": None,
                }
            ],
            "confidence": "certain",
            "cause": None,
            "measured": None,
            "reasons": [
                {
                    "message": "`model` moved to the GPU",
                    "filename": "model.py",
                    "cell": None,
                    "location": {"row": 7, "column": 3},
                },
                {"message": "a tensor by its use", "filename": None, "cell": None, "location": None},
                {
                    "message": "the loop iterates a DataLoader",
                    "filename": "train.py",
                    "cell": None,
                    "location": {"row": 1, "column": 1},
                },
            ],
            "instead": "Keep the tensor.",
            "fix": None,
            "url": f"{HOME}/blob/main/docs/rules/item-call.md",
        }
    ]


def test_choices_that_a_line_hangs_on(finding: Callable[..., Finding], rows: Rows) -> None:
    (row,) = rows(finding(frequency=Frequency(Level.EVERY_STEP, conditions=("args.mix", "x is not None"))))
    assert (row["frequency"], row["conditions"]) == ("every step", ["args.mix", "x is not None"])


def test_routes(finding: Callable[..., Finding], rows: Rows) -> None:
    others = (Frequency(Level.EVERY_PASS, assumed=True, conditions=("self.per_image",)),)
    (row,) = rows(finding(frequency=Frequency(Level.EVERY_STEP, per="forward of `Net`", others=others)))
    assert row["routes"] == [
        ROUTE | {"per": "forward of `Net`"},
        ROUTE | {"frequency": "every pass of a loop in a step", "assumed": True, "conditions": ["self.per_image"]},
    ]


def test_what_stands_for_a_step(finding: Callable[..., Finding], rows: Rows) -> None:
    (row,) = rows(finding(frequency=Frequency(Level.EVERY_STEP, per="forward of `Net`")))
    assert (row["frequency"], row["per"]) == ("every step", "forward of `Net`")


def test_every_level_is_in_the_schema(finding: Callable[..., Finding], rows: Rows) -> None:
    levels = [finding(frequency=Frequency(level)) for level in Level]
    assert len(rows(*levels, finding(severity=Severity.NOTE))) == len(levels) + 1


def test_nothing_found(rows: Rows) -> None:
    assert rows() == []


def test_hostile_names(finding: Callable[..., Finding], rows: Rows) -> None:
    name = "\x1b[31m\n\u202e\udc80.py"
    assert rows(finding(span=Span(name, 1, 1, 1, 1)))[0]["filename"] == name.replace("\udc80", "?")
