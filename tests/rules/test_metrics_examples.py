"""The metric rules report the marked lines of the examples, and no others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from synclint.lint.finding import Severity
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

EXAMPLES = Path(__file__).parents[2] / "examples"
RULES = [rule for rule in all_rules() if rule.code.startswith("SYNC4")]
FOLDERS = sorted({rule.name for rule in RULES} | {"articles"})
FILES = [path for folder in FOLDERS for path in sorted((EXAMPLES / folder).glob("*.py"))]
MARKER = re.compile(r"# expect: ([^#]*)")
CODE = re.compile(r"(SYNC4\d\d)(?:\[torchmetrics<([0-9.]+)\])?")


def marked(text: str, settings: Settings) -> Iterator[tuple[int, str]]:
    for row, line in enumerate(text.splitlines(), 1):
        for marker in MARKER.findall(line):
            for code, until in CODE.findall(marker):
                if not until or settings.versions.may_be("torchmetrics", until=until):
                    yield row, code


@pytest.mark.parametrize("version", ["1.6.1", "1.9.0", ""])
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_examples(path: Path, version: str) -> None:
    settings = Settings(torchmetrics=version)
    result = run([File(str(path), True)], settings, RULES, jobs=1)
    loud = [(each.span.row, each.code) for each in result.findings if each.severity >= Severity.WARNING]
    assert not result.failures
    assert sorted(loud) == sorted(marked(path.read_text("utf-8"), settings))


def test_every_rule_has_an_example() -> None:
    assert {path.parent.name for path in FILES if path.stem == "hazard"} == {rule.name for rule in RULES}
