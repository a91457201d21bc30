"""JUnit XML: a suite per file, a failed test per finding; a note is a passing test with output.

Source: junit-10.xsd of Jenkins' xUnit plugin. The document is ASCII, so that it is valid wherever it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ...finding import Finding, Severity
from ..outcome import Outcome
from ..text import advice, escape, one_line, reason_line


def render(outcome: Outcome) -> Iterator[str]:
    """Yield the lines of the document; one test passes if nothing is found, as empty reports count as failed."""
    suites = Element("testsuites", name="synclint")
    for filename, found in groupby(outcome.shown, key=lambda each: each.span.filename):
        _suite(suites, filename, list(found))
    for failure in outcome.failures:
        message = f"internal error in {failure.part}: {failure.error}"
        suite = SubElement(suites, "testsuite", name=escape(failure.filename), tests="1", failures="0", errors="1")
        case = SubElement(suite, "testcase", name="the file is fully checked", classname=escape(failure.filename))
        SubElement(case, "error", type="internal error", message=escape(message))
    if not len(suites):
        suite = SubElement(suites, "testsuite", name="synclint", tests="1", failures="0", errors="0")
        SubElement(suite, "testcase", name="nothing found", classname="synclint")
    for total in ("tests", "failures", "errors"):
        suites.set(total, str(sum(int(suite.get(total, "0")) for suite in suites)))
    indent(suites)
    yield from tostring(suites, encoding="us-ascii", xml_declaration=True).decode("ascii").split("\n")


def _suite(suites: Element, filename: str, findings: Sequence[Finding]) -> None:
    failed = sum(each.severity > Severity.NOTE for each in findings)
    tests, failures = str(len(findings)), str(failed)
    suite = SubElement(suites, "testsuite", name=escape(filename), tests=tests, failures=failures, errors="0")
    for each in findings:
        name = f"{each.code} {each.name} ({each.span.position})"
        case = SubElement(suite, "testcase", name=name, classname=escape(filename))
        text = "\n".join((one_line(each), *map(reason_line, each.reasons), advice(each)))
        if each.severity > Severity.NOTE:
            SubElement(case, "failure", type=each.severity.words, message=escape(each.message)).text = text
        else:
            SubElement(case, "system-out").text = text
