"""Each option of `check` is a field, and only those are."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import click
import pytest
from synclint.lint.commands.check import command
from synclint.lint.options import Options


def test_each_option_is_a_field() -> None:
    declared = {each.name for each in command.params if isinstance(each, click.Option)}
    assert declared == {each.name for each in fields(Options)}


def test_what_is_not_given_has_the_default_of_the_field() -> None:
    context = command.make_context("check", [])
    assert Options(**{name: value for name, value in context.params.items() if name != "paths"}) == Options()


def test_options_are_named_as_they_were_written() -> None:
    options = Options(write_baseline=True, new_from="main", quiet=True)
    assert options.given("write_baseline", "prune_baseline", "new_from") == ["--write-baseline", "--new-from"]


def test_files_and_assignments_are_told_apart_by_their_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by what files there are: those of the checked repository may have any name."""
    monkeypatch.chdir(tmp_path)
    Path("ignore = []").write_text('ignore = ["ALL"]')
    options = Options(config=("a.toml", "ignore = []", 'severity.SYNC101="note"', "./b=c.toml", ' x ."y" = 1'))
    assert options.assignments == ("ignore = []", 'severity.SYNC101="note"', ' x ."y" = 1')
    assert options.config_file == "./b=c.toml"
    assert options.elsewhere().config[:2] == (str(tmp_path / "a.toml"), "ignore = []")
