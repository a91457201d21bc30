"""Which rules a run uses."""

from __future__ import annotations

import pytest
from synclint.lint.settings.selection import Layer, UnknownRuleError, chosen_rules

pytestmark = pytest.mark.usefixtures("inference")


def codes(*layers: Layer) -> set[str]:
    return {rule.code for rule in chosen_rules(layers) if rule.code < "SYNC9"}


def test_the_default_set() -> None:
    assert codes() == {"SYNC101", "SYNC102", "SYNC404"}


@pytest.mark.parametrize("name", ["SYNC101", "sync101", "item-call"])
def test_codes_and_names(name: str) -> None:
    assert codes(Layer(select=(name,))) == {"SYNC101"}


def test_prefixes() -> None:
    assert codes(Layer(select=("SYNC1",))) == {"SYNC101", "SYNC102", "SYNC111"}
    assert codes(Layer(select=("ALL",))) == {"SYNC101", "SYNC102", "SYNC111", "SYNC404"}


def test_extend_and_ignore() -> None:
    assert codes(Layer(extend=("SYNC111",), ignore=("SYNC4",))) == {"SYNC101", "SYNC102", "SYNC111"}


def test_the_command_line_comes_after_the_configuration() -> None:
    configured = Layer(select=("SYNC1",), ignore=("SYNC101",))
    assert codes(configured, Layer(select=("SYNC101",))) == {"SYNC101"}
    assert codes(configured, Layer(extend=("SYNC101",))) == {"SYNC101", "SYNC102", "SYNC111"}
    assert codes(configured, Layer(ignore=("SYNC102",))) == {"SYNC111"}


def test_unreadable_files_are_reported_unless_ignored() -> None:
    assert [rule.code for rule in chosen_rules([Layer(select=("SYNC101",))])] == ["SYNC101", "SYNC902"]
    assert "SYNC902" not in {rule.code for rule in chosen_rules([Layer(ignore=("SYNC902",))])}


@pytest.mark.parametrize("name", ["SYNC999", "SYN", "item", "E501", "", "SYNC1010"])
def test_unknown_rules(name: str) -> None:
    with pytest.raises(UnknownRuleError, match="there is no rule"):
        chosen_rules([Layer(select=(name,))])


def test_unknown_rules_come_with_a_suggestion() -> None:
    with pytest.raises(UnknownRuleError, match="did you mean `tensor-tolist`"):
        chosen_rules([Layer(ignore=("tensor-to-list",))])
