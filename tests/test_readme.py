"""The README shows what the linter prints, and says how to set it up. What is generated is tested in `docs/`."""

from __future__ import annotations

import re
from pathlib import Path

from synclint.lint.output.formats.full import render
from synclint.lint.output.outcome import Outcome
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_report_is_what_is_printed() -> None:
    program, report = re.findall(r"```(?:python|text)\n(.*?)```", README, re.S)[:2]
    result = run([File("train.py", True, program.encode())], Settings(), all_rules(), jobs=1)
    printed = "\n".join(render(Outcome(result.findings, result.texts.lines))).strip()
    assert report.strip() == printed


def test_the_example_shows_a_reading_and_a_decision() -> None:
    assert re.findall(r"(?s)train\.py:\d+:\d+: error: .*?\[(SYNC\d+) ", README) == ["SYNC101", "SYNC104"]


def test_every_rule_has_a_row_that_leads_to_its_page() -> None:
    for each in all_rules():
        opt_in = "" if each.default else " (opt-in)"
        assert f"\n| {each.code} | [{each.name}](docs/rules/{each.name}.md) | {each.title}{opt_in} |\n" in README
        assert (ROOT / "docs" / "rules" / f"{each.name}.md").is_file()


def test_three_lines_lead_to_the_first_result() -> None:
    first = re.search(r"```console\n(.*?)```", README, re.S)
    assert first is not None
    clone, *rest = first[1].splitlines(keepends=True)
    assert clone.startswith("$ git clone https://")
    assert "".join(rest) == "$ pip install . && synclint examples/\n$ pip install -e '.[test]' && pytest\n"


def test_it_is_lean() -> None:
    written = re.sub(r"<!-- ([a-z]+) -->.*?<!-- /\1 -->", "", README, flags=re.S)
    assert len(written.splitlines()) < 120
