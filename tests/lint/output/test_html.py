"""The page loads nothing, runs no script but its own, and shows what is told elsewhere as text."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.finding import Frequency, Level, Reason, Severity, Span
from synclint.lint.offers import Edit, Fix, Offer

sys.path.append(str(Path(__file__).parents[2]))
from browsed import Page

pytest.importorskip("jinja2")
pytest.importorskip("pygments")

Make = Callable[..., Any]
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\x1b[31m"


def test_a_finding_is_told_with_its_source_and_reasons(rendered: Make, finding: Make) -> None:
    page = Page(rendered("html", finding(), lines=["for batch in loader:", "    loss.item()"]))
    assert page.said("mark") == "loss.item()"
    assert page.all("article", "data-keys") == ["SYNC101 file-0 "]
    told = page.said("dl")
    for each in ("a tensor by its use", "model moved to the GPU (model.py:7:3)", "every step", "Keep the tensor."):
        assert each in told
    assert "train.py" in page.said("h2")


def test_notes_are_there_but_not_shown_first(rendered: Make, finding: Make) -> None:
    page = Page(rendered("html", finding(severity=Severity.NOTE), finding(), notes=False))
    assert [("hidden" in attributes) for tag, attributes in page.elements if tag == "article"] == [True, False]


def test_findings_of_one_assumption_can_be_chosen(rendered: Make, finding: Make) -> None:
    often = Frequency(Level.EVERY_STEP, (Reason("assumed"),), assumed=True, cause="pkg.step")
    found = [finding(frequency=often), finding(frequency=often, span=Span("b.py", 1, 1, 1, 2)), finding()]
    page = Page(rendered("html", *found))
    assert [keys.split()[2:] for keys in page.all("article", "data-keys")] == [["cause-0"], ["cause-0"], []]
    assert "cause-0" in page.all("button", "data-choose")


def test_a_fix_is_shown_as_a_difference(rendered: Make, finding: Make) -> None:
    fix = Fix(Offer("drop", "keep `loss`", unsafe="the type differs"), (Edit(2, 5, 2, 16, "loss"),))
    page = Page(rendered("html", finding(), lines=["for a in b:", "    loss.item()"], fix=lambda _: fix))
    told = page.said("details")
    assert "-    loss.item()" in told
    assert "+    loss" in told
    assert "Unsafe: the type differs." in told


def test_what_others_wrote_is_text(rendered: Make, finding: Make) -> None:
    place = Span(f"{HOSTILE}.py", 1, 1, 1, 5)
    hostile = finding(span=place, message=HOSTILE, instead=HOSTILE, reasons=(Reason(HOSTILE, place),), code="SYNC101")
    often = Frequency(Level.EVERY_STEP, (Reason(HOSTILE),), assumed=True, cause=HOSTILE)
    fix = Fix(Offer("drop", HOSTILE), (Edit(1, 1, 1, 2, HOSTILE),))
    found = [hostile, finding(span=place, frequency=often), finding(span=place, frequency=often)]
    lines = rendered("html", *found, lines=[HOSTILE, HOSTILE], fix=lambda _: fix)
    page = Page(lines)
    assert page.all("script") == [""]
    assert page.all("img") == []
    assert "alert" not in page.said("script")
    assert "\x1b" not in "".join(lines)


def test_nothing_is_loaded_and_nothing_else_is_run(rendered: Make, finding: Make) -> None:
    Page(rendered("html", finding())).assert_alone()


def test_no_findings(rendered: Make) -> None:
    assert Page(rendered("html")).all("article") == []
