"""GitLab's Code Quality report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.finding import Finding, Severity, Span

Make = Callable[..., Finding]
Rows = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def rows(rendered: Callable[..., list[str]], is_valid: Callable[[object, str], None]) -> Rows:
    """The entries of a report, which is valid and names nothing twice."""

    def parse(*findings: Finding, **more: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads("\n".join(rendered("gitlab", *findings, **more)))
        is_valid(found, "gitlab-code-quality")
        assert len({row["fingerprint"] for row in found}) == len(found)
        return found

    return parse


def test_an_entry(finding: Make, rows: Rows) -> None:
    assert rows(finding(span=Span("./src/a.py", 2, 5, 3, 1))) == [
        {
            "description": "`loss.item()` waits for the device [SYNC101 item-call]",
            "check_name": "SYNC101",
            "fingerprint": finding(span=Span("src/a.py", 2, 5, 3, 1)).fingerprint,
            "severity": "major",
            "location": {"path": "src/a.py", "lines": {"begin": 2, "end": 3}},
        }
    ]
    assert rows() == []


def test_severities(finding: Make, rows: Rows) -> None:
    found = rows(*(finding(severity=each) for each in (Severity.ERROR, Severity.WARNING, Severity.NOTE)))
    assert [row["severity"] for row in found] == ["major", "minor", "info"]


def test_names_do_not_depend_on_what_is_shown(finding: Make, rows: Rows) -> None:
    findings = [finding(severity=Severity.NOTE), finding(), finding()]
    assert [row["fingerprint"] for row in rows(*findings)][1:] == [
        row["fingerprint"] for row in rows(*findings, notes=False)
    ]


def test_paths_are_relative_to_the_project(
    finding: Make, rows: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "part").mkdir()
    monkeypatch.chdir(tmp_path / "part")
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
    assert rows(finding(span=Span("日本\udc80.py", 1, 1, 1, 1)))[0]["location"]["path"] == "part/日本?.py"
