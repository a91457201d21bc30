"""Each file is checked by its nearest configuration, whatever was named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ..conftest import Outcome

Command = Callable[..., Outcome]

pytestmark = pytest.mark.usefixtures("inference")


@pytest.fixture
def monorepo(here: Path) -> Path:
    """Three configurations in a repository, and a file that waits under each."""
    for name in (".git", "a/deep", "b"):
        (here / name).mkdir(parents=True)
    for name in ("top.py", "a/one.py", "a/deep/two.py", "b/three.py"):
        (here / name).write_text("import torch\nwait_101()\nwait_102()\n")
    (here / "pyproject.toml").write_text('[tool.synclint]\nexclude = ["/a/deep/*.txt"]\n')
    (here / "a/synclint.toml").write_text('ignore = ["SYNC101"]\n')
    (here / "b/pyproject.toml").write_text('[tool.synclint]\nseverity = { SYNC102 = "note" }\nfail-on = "never"\n')
    return here


def reported(outcome: Outcome) -> list[tuple[str, str, str]]:
    rows = json.loads(outcome.out)
    return sorted((row["filename"].replace("\\", "/"), row["code"], row["severity"]) for row in rows)


EXPECTED = [
    ("a/deep/two.py", "SYNC102", "error"),
    ("a/one.py", "SYNC102", "error"),
    ("b/three.py", "SYNC101", "error"),
    ("b/three.py", "SYNC102", "note"),
    ("top.py", "SYNC101", "error"),
    ("top.py", "SYNC102", "error"),
]


@pytest.mark.parametrize("paths", [["."], ["a", "b", "top.py"], ["a/one.py", "a/deep/two.py", "b/three.py", "top.py"]])
@pytest.mark.parametrize("again", [0, 1])
def test_a_run_over_several(monorepo: Path, synclint_command: Command, paths: list[str], again: int) -> None:
    for _ in range(again):
        synclint_command(*paths)
    assert reported(synclint_command(*paths, "--output-format", "json")) == EXPECTED


@pytest.mark.parametrize("name", sorted({name for name, *_ in EXPECTED}))
def test_one_file_says_what_all_say(monorepo: Path, synclint_command: Command, name: str) -> None:
    found = reported(synclint_command(name, "--output-format", "json"))
    assert found == [each for each in EXPECTED if each[0] == name]


def test_each_file_fails_by_its_own_configuration(monorepo: Path, synclint_command: Command) -> None:
    assert synclint_command("b").code == 0
    assert synclint_command("a").code == 1
    assert synclint_command("b", "a/one.py", "--select", "SYNC101").code == 1
    assert synclint_command("b", "--fail-on", "error").code == 1


def test_limits_are_those_of_the_files_configuration(monorepo: Path, synclint_command: Command) -> None:
    (monorepo / "top.py").unlink()
    (monorepo / "a/synclint.toml").write_text('[max-findings]\n"**" = 3\n')
    outcome = synclint_command(".")
    assert outcome.code == 1
    assert "**: 4 findings, but max-findings allows 3" in outcome.err
    (monorepo / "a/synclint.toml").write_text('[max-findings]\n"**" = 4\n')
    assert synclint_command(".").code == 0


def test_a_wrong_key_is_an_error_wherever_it_stands(monorepo: Path, synclint_command: Command) -> None:
    (monorepo / "a/synclint.toml").write_text("ignroe = []\n")
    for path in (".", "a/one.py", "top.py"):
        outcome = synclint_command(path)
        assert outcome.code == 2
        assert "synclint.toml: unknown key `ignroe`; did you mean `ignore`?" in outcome.err


def test_files_are_left_out_by_their_own_configuration(monorepo: Path, synclint_command: Command) -> None:
    (monorepo / "a/synclint.toml").write_text('exclude = ["deep/"]\n')
    (monorepo / "pyproject.toml").write_text('[tool.synclint]\nexclude = ["three.py"]\n')
    for options in (["."], ["--force-exclude", "a/one.py", "a/deep/two.py", "b/three.py", "top.py"]):
        names = {name for name, *_ in reported(synclint_command(*options, "--output-format", "json"))}
        assert names == {"a/one.py", "b/three.py", "top.py"}


@pytest.mark.parametrize("option", [["--isolated"], ["--config", "pyproject.toml"]])
def test_one_configuration_for_all_where_it_is_named(
    monorepo: Path, synclint_command: Command, option: list[str]
) -> None:
    found = reported(synclint_command(".", *option, "--output-format", "json"))
    assert [each[1:] for each in found] == [("SYNC101", "error"), ("SYNC102", "error")] * 4


def test_one_baseline_for_a_project(monorepo: Path, synclint_command: Command) -> None:
    synclint_command("a", "--write-baseline")
    assert (monorepo / ".synclint-baseline.json").exists()
    assert synclint_command("a").code == 0
    assert "Found no problems" in synclint_command("a/one.py").out
    assert "a/" not in synclint_command(".", "--output-format", "concise").out


def test_settings_of_inference_hold_for_their_files(monorepo: Path, synclint_command: Command) -> None:
    (monorepo / "b/pyproject.toml").write_text('[tool.synclint]\nselect = ["SYNC111"]\n')
    for each in ("a/one.py", "b/three.py"):
        (monorepo / each).write_text("import torch\nwait_111()\n")
    assert [name for name, *_ in reported(synclint_command("a", "b", "--output-format", "json"))][-1:] == ["b/three.py"]


def test_a_nested_baseline_is_told_not_to_count(monorepo: Path, synclint_command: Command) -> None:
    (monorepo / "a/.synclint-baseline.json").write_text("{}")
    line = "a/.synclint-baseline.json is not read: the project's is .synclint-baseline.json; delete it and use"
    for path in (".", "a", "a/deep/two.py"):
        assert synclint_command(path).err.count(line) == 1, path
    assert line not in synclint_command("b").err + synclint_command(".", "--quiet").err
    assert synclint_command(".", "--write-baseline").code == 0
    outcome = synclint_command(".")
    assert (outcome.code, outcome.err.count(line)) == (0, 1)
