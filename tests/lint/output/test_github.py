"""Workflow commands, whatever stands in names and messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from synclint.lint.finding import Finding, Frequency, Level, Severity, Span
from synclint.lint.output.github import render


def command(finding: Finding) -> str:
    (line,) = render([finding])
    assert "\n" not in line
    assert "\r" not in line
    return line


def test_an_annotation(finding: Callable[..., Finding]) -> None:
    assert command(finding()) == (
        "::error title=SYNC101 item-call,file=train.py,line=2,endLine=2,col=5,endColumn=16"
        "::`loss.item()` waits for the device%0Athe loop iterates a DataLoader%0AKeep the tensor."
    )


@pytest.mark.parametrize(
    ("severity", "name"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.NOTE, "notice")]
)
def test_severities(finding: Callable[..., Finding], severity: Severity, name: str) -> None:
    assert command(finding(severity=severity)).startswith(f"::{name} ")


def test_columns_only_within_one_line(finding: Callable[..., Finding]) -> None:
    assert "line=2,endLine=4::" in command(finding(span=Span("a.py", 2, 5, 4, 1)))


def test_hostile_text_cannot_start_another_command(finding: Callable[..., Finding]) -> None:
    line = command(
        finding(
            span=Span("a,b:c%\n::error::x\r.py", 1, 1, 1, 2),
            message="100%\r\n::stop-commands::x\x1b[31m\u2028",
            instead="",
            frequency=Frequency(Level.UNKNOWN),
        )
    )
    assert line == (
        "::error title=SYNC101 item-call,"
        "file=a%2Cb%3Ac%25%0A%3A%3Aerror%3A%3Ax\\r.py,line=1,endLine=1,col=1,endColumn=2"
        "::100%25\\r%0A::stop-commands::x\\x1b[31m\\u2028"
    )


def test_absolute_paths_become_relative(
    finding: Callable[..., Finding], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "file=src/a.py," in command(finding(span=Span(str(tmp_path / "src/a.py"), 1, 1, 1, 2)))
    outside = str(tmp_path.parent / "b.py")
    assert f"file={outside}," in command(finding(span=Span(outside, 1, 1, 1, 2)))
