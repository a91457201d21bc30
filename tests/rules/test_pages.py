"""Every rule has a page: its name is its file's, and its docstring says what happens and what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from synclint.lint.rule import Rule, all_rules

ROOT = Path(__file__).parent.parent.parent
RULES = all_rules()


def test_each_file_is_a_rule() -> None:
    files = {file.stem.replace("_", "-") for file in (ROOT / "rules").glob("*.py") if file.stem != "__init__"}
    assert {rule.name for rule in RULES} == files
    assert len({rule.code for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_page_says_what_happens_and_what_to_write(rule: Rule) -> None:
    happens, instead, *_ = rule.page.split("\n\n")
    assert happens[-1] == "."
    assert instead[-1] in ".:"
    assert rule.title
    assert rule.instead
    assert "speed" not in rule.page
