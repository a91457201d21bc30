"""The page loads nothing, runs no script but its own, and shows what is told elsewhere as text."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from synclint.lint.finding import Edit, Fix, Frequency, Level, Offer, Reason, Severity, Span

pytest.importorskip("jinja2")
pytest.importorskip("pygments")

Make = Callable[..., Any]
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\x1b[31m"
VOID = {"meta", "input", "link", "br", "img"}


class Page(HTMLParser):
    """What a browser would see: the elements with their attributes, and the text."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed("\n".join(lines))
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in self.open:
            self.text.setdefault(tag, []).append(data)

    def all(self, tag: str, name: str = "") -> list[str]:
        return [attributes.get(name, "") for found, attributes in self.elements if found == tag]

    def said(self, tag: str) -> str:
        return "".join(self.text.get(tag, []))


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
    page = Page(rendered("html", finding()))
    assert [tag for tag, attributes in page.elements if "src" in attributes or tag in ("link", "iframe")] == []
    assert [name for _, attributes in page.elements for name in attributes if name.startswith("on")] == []
    policy = page.all("meta", "content")[page.all("meta", "http-equiv").index("Content-Security-Policy")]
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(page.said(tag).encode()).digest()).decode()
        assert re.search(rf"{tag}-src 'sha256-{re.escape(digest)}'", policy)


def test_no_findings(rendered: Make) -> None:
    assert Page(rendered("html")).all("article") == []
