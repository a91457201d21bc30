"""A run as a page: what it says, what its charts are drawn of, and that what others wrote stays text."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2")
pytest.importorskip("pygments")

from synclint.lint.finding import Confidence, Finding, Frequency, Level, Severity, Span
from synclint.lint.offers import Edit, Fix, Offer
from synclint.runtime_checker.observe import Wait
from synclint.runtime_checker.script.page import as_html
from synclint.runtime_checker.script.report import Report
from synclint.runtime_checker.script.steps import Steps
from synclint.runtime_checker.script.timeline import CHARTS, LANES
from synclint.runtime_checker.script.verdicts import Known, Seen, judge

sys.path.append(str(Path(__file__).parents[2]))
from browsed import Page

SOURCE = ["for batch in loader:", "    total += loss.item()", "    print(total)"]
FINDING = Finding(
    code="SYNC101",
    name="item-call",
    span=Span("/p/train.py", 2, 14, 2, 25),
    message="waits",
    severity=Severity.ERROR,
    frequency=Frequency(Level.EVERY_STEP),
    confidence=Confidence.CERTAIN,
    instead="Keep the tensor.",
)
HOSTILE = "</script><script>alert(1)</script><!--\x1b"


def waits(*places: tuple[float, str, int]) -> list[Wait]:
    return [Wait(name, row, "item", "reads value", 0.25, ended=ended) for ended, name, row in places]


def page(seen: list[Wait], has_clock: bool = True, **more: Any) -> tuple[Page, Any]:
    """The page of a run of two steps, which ended after 10 s and after 20 s, and the data of its charts."""
    steps = Steps(seen, started=0.0)
    steps.marks = [(sum(wait.ended <= end for wait in seen), end) for end in (10.0, 20.0)]
    window = steps.window(0)
    judgement = judge(Seen(seen, window, {}), Known(more.get("findings", ())))
    report = Report(more.get("device", "a device"), window, judgement, has_clock=has_clock)
    lines = list(as_html(report, steps, lambda _: more.get("source", SOURCE), more.get("fix", lambda _: None)))
    found = Page(lines)
    (data,) = json.loads(next(text for text in found.whole["script"] if text.startswith("[")))
    return found, data


def test_a_line_is_told_with_its_cost_its_source_and_its_cure() -> None:
    fix = Fix(Offer("keep", "keep the value", unsafe="the type differs"), (Edit(2, 14, 2, 25, "loss"),))
    seen = waits((5.0, "/p/train.py", 2), (15.0, "/p/train.py", 2))
    found, _ = page(seen, findings=(FINDING,), fix=lambda _: fix)
    assert found.said("td").startswith("confirmed1250.00")
    assert found.said("article").count("Keep the tensor.") == 1
    assert "+    total += loss" in found.said("details")
    assert "confirmed 1 × 250.00 ms" in found.said("details")


def test_the_charts_have_each_wait_at_its_time_in_its_step_and_lane() -> None:
    _, data = page(waits((15.0, "/p/b.py", 3), (5.0, "/p/a.py", 2), (16.0, "/p/a.py", 2)))
    lanes = [data["lanes"][lane] for lane in data["lane"]]
    assert list(zip(data["ended"], lanes)) == [(5000, "/p/a.py:2"), (15000, "/p/b.py:3"), (16000, "/p/a.py:2")]
    assert (data["steps"], data["waits_of_step"], data["blocked_of_step"]) == ([10000, 20000], [1, 2], [250, 500])
    assert data["took"] == [250] * 3


def test_the_lines_that_cost_least_share_a_lane() -> None:
    _, data = page(waits(*((5.0, "/p/a.py", row) for row in range(1, LANES + 4))))
    assert len(data["lanes"]) == LANES + 1
    assert data["lanes"][-1] == "other lines"
    assert max(data["lane"]) == LANES


def test_without_a_clock_nothing_is_said_of_time() -> None:
    _, data = page(waits((5.0, "/p/train.py", 2)), has_clock=False)
    assert data["took"] is data["blocked_of_step"] is None


def test_a_run_without_waits() -> None:
    found, data = page([])
    assert (data["lanes"], data["lane"], found.all("article")) == ([], [], [])


def test_what_others_wrote_is_text() -> None:
    name = f"/p/{HOSTILE}.py"
    found, data = page(waits((5.0, name, 1)), source=[HOSTILE], device=HOSTILE)
    assert len(found.all("script")) == 2
    assert data["lanes"] == [f"{name}:1"]
    found.assert_alone()


def test_the_notice_of_the_library_is_in_the_page() -> None:
    """Its license asks that it be in all copies."""
    found, _ = page([])
    assert "Copyright (c) 2022 Leon Sorokin" in found.said("script")


def test_a_language_that_is_none_does_not_end_the_charts() -> None:
    """As `en-US@posix` in containers: the library formats numbers by it as soon as it is loaded."""
    assert CHARTS.index("language.js") < CHARTS.index("uplot.js")
