"""Budgets: a number of findings that fails when it is exceeded and may only go down."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def files(here: Path) -> Path:
    for name, calls in (("src/train/a.py", "wait_101()\nmaybe_102()\nrare_101()\n"), ("src/b.py", "wait_101()\n")):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(f"import torch\n{calls}")
    return here


def budget(here: Path, rows: str, others: str = "") -> None:
    (here / "synclint.toml").write_text(f"{others}\n[max-findings]\n{rows}\n")


def test_within_the_number_findings_are_shown_and_do_not_fail(synclint_command: Command, files: Path) -> None:
    budget(files, '"src/**" = 3')
    outcome = synclint_command(".")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Found 2 errors and 1 warning" in outcome.out


def test_more_than_the_number_fails(synclint_command: Command, files: Path) -> None:
    budget(files, '"src/train/**" = 1\n"src/b.py" = 1')
    outcome = synclint_command(".")
    assert (outcome.code, outcome.err) == (
        1,
        "src/train/**: 2 findings, but max-findings allows 1; fix or suppress 1\n",
    )
    assert synclint_command(".", "--exit-zero").code == 0
    assert synclint_command(".", "--fail-on", "never").code == 1


def test_outside_of_the_patterns_findings_fail_as_ever(synclint_command: Command, files: Path) -> None:
    budget(files, '"src/train/**" = 2')
    outcome = synclint_command(".")
    assert (outcome.code, outcome.err) == (1, "")
    assert synclint_command("src/train").code == 0


def test_fewer_than_the_number_print_a_note(synclint_command: Command, files: Path) -> None:
    budget(files, '"src/train/**" = 12')
    note = "src/train/**: 2 findings, and max-findings allows 12; lower it to 2\n"
    for paths in ((".",), ("src",), ("src/train",), (str(files),)):
        assert synclint_command(*paths).err == note, paths
    assert synclint_command(".", "-q").err == ""


@pytest.mark.parametrize("arguments", [("src/train/a.py",), (".", "--select", "SYNC101"), (".", "--exclude", "a.py")])
def test_a_run_that_sees_only_a_part_says_nothing_of_lowering(
    synclint_command: Command, files: Path, arguments: tuple[str, ...]
) -> None:
    budget(files, '"src/train/**" = 12')
    assert synclint_command(*arguments).err == ""


def test_notes_count_where_they_fail(synclint_command: Command, files: Path) -> None:
    budget(files, '"*.py" = 3')
    assert synclint_command(".").err == ""
    budget(files, '"*.py" = 3', 'fail-on = "note"')
    assert synclint_command(".").err == "*.py: 4 findings, but max-findings allows 3; fix or suppress 1\n"
    budget(files, '"*.py" = 2', 'fail-on = "error"')
    assert synclint_command(".").code == 1


def test_what_is_suppressed_or_known_does_not_count(synclint_command: Command, files: Path) -> None:
    (files / "src/b.py").write_text("wait_101()  # synclint: ignore[SYNC101]\n")
    budget(files, '"src/" = 2')
    assert synclint_command(".").err == ""
    synclint_command(".", "--write-baseline")
    assert "src/: 0 findings, and max-findings allows 2; lower it to 0" in synclint_command(".").err


@pytest.mark.parametrize("value", ['"src/**" = -1', '"src/**" = "many"', '"src/**" = true', '"src/**" = 1.5'])
def test_mistakes(synclint_command: Command, files: Path, value: str) -> None:
    budget(files, value)
    outcome = synclint_command(".")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert '`max-findings`: must be a table from patterns to numbers, such as "src/train/**" = 12' in outcome.err
