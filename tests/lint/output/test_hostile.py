"""Nothing that stands in a name or in source text gets out of its place, in any format."""

from __future__ import annotations

import json
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from synclint.lint.finding import Finding, Frequency, Level, Reason, Severity, Span
from synclint.lint.output import step_summary
from synclint.lint.output.targets import format_names
from synclint.lint.output.text import valid

HOSTILE = {
    "percent": "x%0A::error::y%0D%25%3A",
    "newline": "x\n::error file=a::y\r\n##[error]z\r::stop-commands::t",
    "first": "::error::x",
    "indented": "  \t::add-mask::x",
    "legacy": "a##[add-mask]b ###[error]c",
    "azure": "##vso[task.setvariable variable=x]y ##VSO[task.complete result=Failed;]z",
    "cdata": "]]></failure></testcase><x a='\"'>&amp;<![CDATA[",
    "json": '"}], "x": [{"y": "\\',
    "markdown": "| ` </td><script>x</script> ![a](http://b.c) @everyone",
    "emoji": "\U0001f525 \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "right-to-left": "a\u202e\u2066b\u200f\u2029c\u2028d\u0085e",
    "ansi": "\x1b[2J\x1b]8;;http://x\x1b\\a\x9b31m\x07\x08\x00",
    "no text": "\udc80\ud800\ufffe\uffff",
    "long": "日x" * 50_000,
    "links": "f[0](1) [x](http://y) {0} {{",
}
COMMANDS = re.compile(r"^\s*::|##\w*\[")
PARSED_BY_PROGRAMS = {"gitlab", "json", "json-lines", "rdjsonl", "sarif"}


@pytest.fixture(params=HOSTILE)
def hostile(request: pytest.FixtureRequest, finding: Callable[..., Finding]) -> Finding:
    """A finding with the text wherever text of foreign origin may stand."""
    text = HOSTILE[request.param]
    place = Span(f"{text}.py".replace("\ud800", "\udcff"), 1, 2, 1, 4)  # no name of a file holds the former
    reason = Reason(text, place)
    return finding(
        span=place,
        message=text,
        severity=Severity.WARNING,
        reasons=(reason,),
        frequency=Frequency(Level.EVERY_STEP, (reason,), conditions=(text,)),
        instead=text,
        scope=text,
        statement=text,
    )


@pytest.mark.parametrize("form", format_names())
def test_every_line_is_printable_and_no_command_but_ours(
    form: str, hostile: Finding, rendered: Callable[..., list[str]]
) -> None:
    lines = rendered(form, hostile, lines=[hostile.message.replace("\n", ""), "##[error]b"])
    assert lines
    for line in lines:
        assert all(unicodedata.category(each) not in {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"} for each in line), form
        own = re.match(r"::warning [^:]*::|##vso\[task\.logissue [^\]]*;\]", line)
        assert not COMMANDS.search(line[own.end() if own else 0 :]), line[:200]


@pytest.mark.parametrize("form", format_names())
def test_one_finding_stays_one_in_size_and_number(
    form: str, hostile: Finding, rendered: Callable[..., list[str]]
) -> None:
    tame = replace(hostile, span=Span("a.py", 1, 2, 1, 4), message="m", instead="i")
    mine, usual = (rendered(form, each, lines=["some = code"], width=10**7) for each in (hostile, tame))
    assert len(mine) == len(usual)


@pytest.mark.parametrize("form", sorted(PARSED_BY_PROGRAMS))
def test_programs_read_what_was_meant(form: str, hostile: Finding, rendered: Callable[..., list[str]]) -> None:
    text = "\n".join(rendered(form, hostile))
    assert text.isascii()
    document = json.loads(text)
    json.dumps(document, ensure_ascii=False).encode()  # no half of a surrogate pair: strict readers refuse it
    if form in {"json", "json-lines"}:
        (row,) = document if form == "json" else [document]
        assert (row["message"], row["filename"]) == tuple(map(valid, (hostile.message, hostile.span.filename)))


def test_xml_has_no_element_of_theirs(hostile: Finding, rendered: Callable[..., list[str]]) -> None:
    root = ET.fromstring("\n".join(rendered("junit", hostile)))
    assert [element.tag for element in root.iter()] == ["testsuites", "testsuite", "testcase", "failure"]


def test_markdown_has_no_cell_of_theirs(
    hostile: Finding, rendered: Callable[..., list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(step_summary.VARIABLE, str(tmp_path / "summary.md"))
    rendered("github", hostile)
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert len(text.encode()) < 1024 * 1024
    *_, row = text.rstrip("\n").split("\n")
    unescaped = re.sub(r"\\[!-/:-@\[-`{-~]", "", row)
    assert unescaped.count("|") == 5
    links = re.sub(r"\[SYNC101 item-call\]\(\S+\)", "", unescaped)
    assert not re.search(r"[<>`\[\]!@*_]", links), links[:200]
