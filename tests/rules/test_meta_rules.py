"""What the rules about the linting itself say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from synclint.lint.files.source import Unreadable
from synclint.lint.finding import Kind, Severity, Span
from synclint.lint.rule import all_rules
from synclint.lint.suppression.suppress import Suppression

RULES = {rule.code: rule for rule in all_rules() if rule.kind is Kind.META}
SPAN = Span("a.py", 3, 5, 3, 30)
COMMENT = Suppression("ignore", ("SYNC101",), "", SPAN, (3, 3))


def message(code: str, thing: object) -> str | None:
    report = RULES[code].check(thing)
    assert report is None or RULES[code].finding(report).severity is Severity.WARNING
    return report and report.message


def test_there_are_five() -> None:
    assert {code: rule.default for code, rule in RULES.items()} == {
        "SYNC901": True,
        "SYNC902": True,
        "SYNC903": False,
        "SYNC904": True,
        "SYNC905": True,
    }


def test_an_unreadable_file() -> None:
    problem = Unreadable(SPAN, "contains a null byte")
    assert message("SYNC902", problem) == "not checked: it contains a null byte"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, None),
        ({"idle": ("SYNC101",)}, "`SYNC101` is not reported here; remove it from the comment"),
        ({"idle": ("",), "rules": ()}, "nothing is reported here; remove the comment"),
        ({"unknown": ("item-cal", "x")}, "no rule is called `item-cal`, `x`; correct the name"),
        ({"kind": "ignroe"}, "`ignroe` is not a directive; write `# synclint: ignore[CODE] reason`"),
        ({"kind": "expect", "idle": ("SYNC101",)}, None),
        ({"kind": "noqa", "idle": ("SYNC101",)}, "`SYNC101` is not reported here; remove it from the comment"),
    ],
)
def test_unused_suppressions(changes: dict[str, object], expected: str | None) -> None:
    assert message("SYNC901", replace(COMMENT, **changes)) == expected  # type: ignore[arg-type]


def test_suppressions_without_a_reason() -> None:
    assert message("SYNC903", COMMENT) == "the suppression gives no reason"
    assert message("SYNC903", replace(COMMENT, reason="once per epoch")) is None
    assert message("SYNC903", replace(COMMENT, kind="noqa")) is None


def test_expected_hazards() -> None:
    gone = replace(COMMENT, kind="expect", idle=("SYNC101",))
    assert message("SYNC904", gone) == "`SYNC101` is expected here but not reported; remove the comment"
    assert message("SYNC904", replace(gone, idle=())) is None
    assert message("SYNC904", replace(gone, kind="ignore")) is None


def test_every_page_says_what_and_what_instead() -> None:
    for rule in RULES.values():
        assert rule.title.endswith(".")
        assert rule.instead.endswith(".")
