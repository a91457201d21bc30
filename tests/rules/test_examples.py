"""The examples: a rule reports the marked lines of `hazard.py`, and nothing in `fixed.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from synclint.lint.finding import Kind, Severity
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings
from synclint.lint.settings.files import configured
from synclint.lint.settings.versions import Versions

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
RULES = [rule for rule in all_rules() if rule.kind is not Kind.META]
CODES = {rule.code for rule in RULES}
FOLDERS = sorted({rule.name for rule in RULES} | {"articles"})
VERSIONS = {
    "any": {},
    "newest": {"torch": ">=2.15", "torchmetrics": ">=1.9"},
    "middle": {"torch": "2.13", "torchmetrics": "1.6.1"},
    "old": {"torch": "2.5", "torchmetrics": "1.4"},
}
EXPECTED = re.compile(r"# expect: ((?:SYNC\d+(?:\[[^\]]*\])?(?:, )?)+)")
CODE = re.compile(r"(SYNC\d+)(?:\[(\w+)<([\d.]+)\])?")


def settings(folder: str, versions: str = "any") -> Settings:
    """`step` is what is judged: it stands for the body of a training loop."""
    return replace(configured(EXAMPLES / folder) or Settings(), pins={}, **VERSIONS[versions])


def expected(file: Path, versions: Versions) -> Iterator[tuple[str, int, str]]:
    for row, line in enumerate(file.read_text().splitlines(), 1):
        for markers in EXPECTED.findall(line):
            for code, library, until in CODE.findall(markers):
                if code in CODES and (not library or versions.may_be(library, until=until)):
                    yield file.name, row, code


@pytest.mark.parametrize("versions", VERSIONS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_marked_lines_are_reported_and_no_others(folder: str, versions: str) -> None:
    files = sorted((EXAMPLES / folder).glob("*.py"))
    chosen = settings(folder, versions)
    result = run([File(str(file), named=True) for file in files], chosen, RULES, jobs=1)
    found = {
        (Path(finding.span.filename).name, finding.span.row, finding.code)
        for finding in result.findings
        if finding.severity >= Severity.WARNING
    }
    assert not result.failures
    assert found == {marker for file in files for marker in expected(file, chosen.versions)}


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule.default and rule.kind is Kind.STALL], ids=lambda rule: rule.code
)
def test_a_stall_says_that_the_host_waits(rule) -> None:
    result = run([File(str(EXAMPLES / rule.name / "hazard.py"), named=True)], settings(rule.name), [rule], jobs=1)
    messages = {finding.message for finding in result.findings if finding.code == rule.code}
    assert messages
    assert not {message for message in messages if not re.search(r"\bwaits?\b", message)}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_is_shown_by_a_hazard_and_its_repair(rule) -> None:
    hazard, fixed = EXAMPLES / rule.name / "hazard.py", EXAMPLES / rule.name / "fixed.py"
    assert any(code == rule.code for _, _, code in expected(hazard, Versions()))
    assert not list(expected(fixed, Versions()))
