"""One line per finding, alone or below the name of its file."""

from __future__ import annotations

from collections.abc import Callable

from synclint.lint.finding import Finding, Severity, Span

Render = Callable[..., list[str]]


def test_a_line(finding: Callable[..., Finding], rendered: Render) -> None:
    assert rendered("concise", finding()) == [
        "train.py:2:5: error: `loss.item()` waits for the device [SYNC101 item-call]"
    ]


def test_notes_and_the_closing_line_on_demand(finding: Callable[..., Finding], rendered: Render) -> None:
    note = finding(severity=Severity.NOTE)
    assert rendered("concise", note, notes=False) == []
    assert rendered("concise", note, notes=False, summed_up=True) == [
        "Found no problems in 1 file (1 note not shown: --show-notes)."
    ]


def test_hostile_text_stays_on_one_line(finding: Callable[..., Finding], rendered: Render) -> None:
    hostile = finding(span=Span("a\n\x1b]0;x\x07.py", 1, 1, 1, 1), message="a\u202eb\tc\udcff")
    assert rendered("concise", hostile) == [
        "a\\n\\x1b]0;x\\x07.py:1:1: error: a\\u202eb\\tc\\udcff [SYNC101 item-call]"
    ]


def test_commands_of_ci_services_are_broken_up(finding: Callable[..., Finding], rendered: Render) -> None:
    hostile = finding(span=Span(" ::error::x.py", 1, 1, 1, 1), message="x ##[add-mask]y ##VSO[task.x]z ## a ::b")
    assert rendered("concise", hostile) == [
        " \\x3a:error::x.py:1:1: error: x #\\x23[add-mask]y #\\x23VSO[task.x]z ## a ::b [SYNC101 item-call]"
    ]


def test_grouped_by_file(finding: Callable[..., Finding], rendered: Render) -> None:
    first, second = (finding(span=Span("a.py", row, 5, row, 9), message="m") for row in (9, 10))
    other = finding(span=Span("b.py", 1, 1, 1, 2), message="m", severity=Severity.NOTE)
    assert rendered("grouped", first, second, other) == [
        "a.py:",
        "   9:5  error  m [SYNC101 item-call]",
        "  10:5  error  m [SYNC101 item-call]",
        "",
        "b.py:",
        "  1:1  note  m [SYNC101 item-call]",
        "",
    ]
    assert rendered("grouped") == []
