"""JUnit's XML, held to the structure of Jenkins' junit-10.xsd."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest
from synclint.lint.finding import Finding, Severity, Span
from synclint.lint.run.file import Failure

ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors"},
    "testcase": {"name", "classname"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "system-out": set[str](),
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "system-out"},
}


@pytest.fixture
def document(rendered: Callable[..., list[str]]) -> Callable[..., ET.Element]:
    """The root of the document, whose elements, attributes and numbers are those of the schema."""

    def parse(*findings: Finding, **more: Any) -> ET.Element:
        root = ET.fromstring("\n".join(rendered("junit", *findings, **more)))
        for element in root.iter():
            assert set(element.attrib) == ATTRIBUTES[element.tag]
            assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
        for suite in root.iter("testsuite"):
            assert numbers(suite) == counted(suite)
        assert numbers(root) == counted(root)
        return root

    return parse


def counted(element: ET.Element) -> list[int]:
    return [len(list(element.iter(tag))) for tag in ("testcase", "failure", "error")]


def numbers(element: ET.Element) -> list[int]:
    return [int(element.attrib[name]) for name in ("tests", "failures", "errors")]


def test_a_suite_for_each_file(finding: Callable[..., Finding], document: Callable[..., ET.Element]) -> None:
    root = document(finding(), finding(severity=Severity.NOTE), finding(span=Span("z.py", 1, 1, 1, 2)))
    assert [(suite.get("name"), *numbers(suite)) for suite in root] == [("train.py", 2, 1, 0), ("z.py", 1, 1, 0)]
    case = root[0][0]
    assert case.attrib == {"name": "SYNC101 item-call (2:5)", "classname": "train.py"}
    assert case[0].attrib == {"type": "error", "message": "`loss.item()` waits for the device"}
    assert (case[0].text or "").splitlines() == [
        "train.py:2:5: error: `loss.item()` waits for the device [SYNC101 item-call]",
        "`model` moved to the GPU (model.py:7:3)",
        "a tensor by its use",
        "`loss.item()` waits for the device",
        "the loop iterates a DataLoader",
        "Keep the tensor.",
    ]


def test_nothing_found_is_one_test_that_passes(document: Callable[..., ET.Element]) -> None:
    assert numbers(document()) == [1, 0, 0]


def test_an_error_of_our_own(finding: Callable[..., Finding], document: Callable[..., ET.Element]) -> None:
    root = document(finding(), failures=[Failure("b.py", "rule SYNC101", "KeyError: 'x'", "")])
    assert [suite.get("name") for suite in root] == ["train.py", "b.py"]
    assert root.find(".//error").attrib["message"] == "internal error in rule SYNC101: KeyError: 'x'"  # type: ignore[union-attr]


def test_characters_that_xml_forbids(finding: Callable[..., Finding], document: Callable[..., ET.Element]) -> None:
    forbidden = "".join(map(chr, [*range(32), 0xFFFE, 0xFFFF, 0xD800, 0xDFFF, 0x7F, 0x85]))
    text = f"{forbidden}<&>]]>\"'日本\U0001f525"
    root = document(finding(span=Span(f"{text}.py", 1, 1, 1, 2), message=text))
    shown = root[0][0][0].attrib["message"]
    assert shown.endswith("<&>]]>\"'日本\U0001f525")
    assert shown.isprintable()
