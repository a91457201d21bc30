"""`synclint init`: a configuration that explains itself, a hook, and nothing overwritten."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.adoption.initial import configuration
from synclint.lint.settings.config import KEYS
from synclint.lint.settings.files import find_settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Command = Callable[..., Any]

HOOKS = "repos:\n  - repo: https://x/y\n    rev: v1\n    hooks:\n      - id: z  # last\n"


@pytest.mark.parametrize("table", ["", "tool.synclint"])
def test_ten_lines_of_keys_that_can_be_uncommented(table: str) -> None:
    text = configuration(table)
    assert text.count("\n") == (10 if table else 9)
    live = re.sub(r"(?m)^# (?=[a-z-]+ = |\[|\"|SYNC)", "", text)
    keys: dict[str, Any] = tomllib.loads(live)
    for name in filter(None, table.split(".")):
        keys = keys[name]
    assert {"fail-on", "exclude", "cold-functions", "per-file-ignores"} <= set(keys) <= set(KEYS)
    for name, value in keys.items():
        KEYS[name].metadata["read"](value)
    assert all(line.startswith(("#", "[")) or not line for line in text.splitlines())


def test_the_choice_of_what_fails_is_explained(synclint_command: Command, here: Path) -> None:
    out = synclint_command("init", "--pre-commit").out
    assert "Errors make a run fail" in out
    assert 'With `fail-on = "warning"`, they make it fail too.' in out


def test_a_project_without_any_file(synclint_command: Command, here: Path) -> None:
    outcome = synclint_command("init")
    assert outcome.code == 0
    assert outcome.out.startswith("wrote synclint.toml\n")
    assert "- id: synclint" in outcome.out
    assert find_settings(here / "sub").root == here
    again = synclint_command("init")
    assert (again.code, again.out.splitlines()[0]) == (
        0,
        "synclint.toml is already a synclint configuration; unchanged",
    )


@pytest.mark.parametrize(
    "text", ["", "[project]\nname = 'x'\n", "[tool.ruff]\r\nx = 1", "# nothing\n", "tool.a.b = 1\n"]
)
def test_a_project_file_gets_a_table(synclint_command: Command, here: Path, text: str) -> None:
    file = here / "pyproject.toml"
    file.write_bytes(text.encode())
    assert synclint_command("init").out.startswith("added [tool.synclint] to pyproject.toml\n")
    after = file.read_bytes().decode()
    assert after.startswith(text)
    assert ("\r\n" in after) is ("\r\n" in text)
    assert after.count("\n") == after.count("\r\n") or "\r" not in after
    document = tomllib.loads(after)
    assert document["tool"].pop("synclint") == {}
    assert document == {"tool": {}, **tomllib.loads(text)}
    assert "already" in synclint_command("init").out
    assert file.read_bytes().decode() == after


@pytest.mark.parametrize("text", ["[broken\n", "tool = {a = 1}\n", "[tool.synclint\n"])
def test_a_project_file_that_cannot_be_added_to(synclint_command: Command, here: Path, text: str) -> None:
    (here / "pyproject.toml").write_text(text)
    out = synclint_command("init").out
    assert out.startswith("wrote synclint.toml, because pyproject.toml cannot be added to\n")
    assert (here / "pyproject.toml").read_text() == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (HOOKS, HOOKS + "@"),
        (HOOKS.rstrip("\n"), HOOKS + "@"),
        (HOOKS + "\n\nci:\n  skip: [z]\n", HOOKS + "@\nci:\n  skip: [z]\n"),
        ("ci: {}\n" + HOOKS + "# end\n", "ci: {}\n" + HOOKS + "# end\n@"),
        ("repos:\n- repo: local\n  hooks:\n  - id: a\n", "repos:\n- repo: local\n  hooks:\n  - id: a\n@"),
    ],
)
def test_the_hook_is_added_to_what_is_there(synclint_command: Command, here: Path, before: str, after: str) -> None:
    file = here / ".pre-commit-config.yaml"
    for end in ("\n", "\r\n"):
        file.write_bytes(before.replace("\n", end).encode())
        assert "added the hook to .pre-commit-config.yaml" in synclint_command("init", "--pre-commit").out
        found = file.read_bytes().decode()
        assert found.count("\n") == found.count(end)
        found = found.replace("\r\n", "\n")
        head, tail = after.split("@")
        assert found.startswith(head + ("- " if before.startswith("repos:\n-") else "  - ") + "repo: local\n")
        assert found.endswith(f"require_serial: true\n{tail}")
        assert "already" in synclint_command("init", "--pre-commit").out.splitlines()[1]


def test_the_hook_in_a_file_of_its_own(synclint_command: Command, here: Path) -> None:
    assert "wrote .pre-commit-config.yaml\n" in synclint_command("init", "--pre-commit").out
    assert (here / ".pre-commit-config.yaml").read_text().startswith("repos:\n  - repo: local\n    hooks:\n")


@pytest.mark.parametrize(
    "text", ["repos: []\n", "repos: [{repo: local}]\n", "", "repos:\n", "a: 1\n", "repos:\n---\nrepos:\n"]
)
def test_a_file_that_is_not_understood_is_left_alone(synclint_command: Command, here: Path, text: str) -> None:
    (here / ".pre-commit-config.yaml").write_text(text)
    assert "add this to its `repos:`" in synclint_command("init", "--pre-commit").out
    assert (here / ".pre-commit-config.yaml").read_text() == text
