"""Each option of `check` is a field, and only those are."""

from __future__ import annotations

from dataclasses import fields

import click
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
