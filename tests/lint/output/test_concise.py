"""One line per finding."""

from __future__ import annotations

from collections.abc import Callable

from synclint.lint.finding import Finding, Span
from synclint.lint.output.concise import render


def test_a_line(finding: Callable[..., Finding]) -> None:
    assert list(render([finding()])) == ["train.py:2:5: error: `loss.item()` waits for the device [SYNC101 item-call]"]


def test_hostile_text_stays_on_one_line(finding: Callable[..., Finding]) -> None:
    (line,) = render([finding(span=Span("a\n\x1b]0;x\x07.py", 1, 1, 1, 1), message="a\u202eb\tc\udcff")])
    assert line == "a\\n\\x1b]0;x\\x07.py:1:1: error: a\\u202eb\\tc\\udcff [SYNC101 item-call]"
