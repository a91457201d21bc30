"""The README says what the rules say, and its example report is what the linter prints."""

from __future__ import annotations

import re
from pathlib import Path

from synclint.lint.config import Settings
from synclint.lint.engine import run
from synclint.lint.file import File
from synclint.lint.output.formats.full import render
from synclint.lint.output.outcome import Outcome
from synclint.lint.rule import all_rules

README = Path(__file__).parent.parent / "README.md"


def rules_table() -> str:
    rows = ["| Code | Name | Reports |", "|---|---|---|"]
    for each in all_rules():
        opt_in = "" if each.default else " (opt-in)"
        rows.append(f"| {each.code} | {each.name} | {each.title}{opt_in} |")
    return "\n".join(rows)


def test_the_table_of_rules_is_up_to_date() -> None:
    found = re.search(r"<!-- rules -->\n(.*?)\n<!-- /rules -->", README.read_text(), re.S)
    assert found is not None
    assert found[1] == rules_table(), f"replace the README's table by:\n{rules_table()}"


def test_the_example_report_is_what_is_printed() -> None:
    program, report = re.findall(r"```(?:python|text)\n(.*?)```", README.read_text(), re.S)[:2]
    result = run([File("train.py", True, program.encode())], Settings(), all_rules(), jobs=1)
    printed = "\n".join(render(Outcome(result.findings, result.texts.lines))).strip()
    assert report.strip() == printed
