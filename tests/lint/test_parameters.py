"""The help shows options in groups, and a shell completes the names of rules."""

from __future__ import annotations

from typing import Any

import pytest
from click.shell_completion import ShellComplete
from synclint.lint.cli import cli
from synclint.lint.commands.check import command
from synclint.lint.parameters import OTHER, GroupedOption


def completed(words: list[str], incomplete: str) -> list[str]:
    return [each.value for each in ShellComplete(cli, {}, "synclint", "_").get_completions(words, incomplete)]


def test_every_option_of_check_has_a_group() -> None:
    assert all(isinstance(each, GroupedOption) and each.group != OTHER for each in command.params[1:])


def test_the_help_has_the_options_under_their_headings() -> None:
    text = command.get_help(command.make_context("check", []))
    assert text.index("Rules:") < text.index("--select") < text.index("Report:") < text.index("--output-format")
    assert text.rindex(f"{OTHER}:") < text.index("--help")


@pytest.mark.parametrize(
    ("words", "incomplete", "expected"),
    [
        (["check", "--select"], "SYNC10", {"SYNC101", "SYNC102"}),
        (["check", "--ignore"], "item", {"item-call"}),
        (["check", "--select"], "SYNC101,sync20", {"SYNC101,SYNC201"}),
        (["rule"], "item", {"item-call"}),
        ([], "ver", {"verify"}),
        ([], "--output-for", {"--output-format"}),
    ],
)
def test_completion(words: list[str], incomplete: str, expected: set[str]) -> None:
    assert expected <= set(completed(words, incomplete))


def test_what_no_rule_is_called_is_completed_by_nothing() -> None:
    assert completed(["rule"], "no-such") == []


def test_the_names_are_told_with_what_they_mean() -> None:
    found: list[Any] = ShellComplete(cli, {}, "synclint", "_").get_completions(["rule"], "SYNC101")
    assert found[0].help
