"""`--watch` checks again after each change, and outlives what goes wrong in one run."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.watch import matters

watchfiles = pytest.importorskip("watchfiles")
Command = Callable[..., Any]


@pytest.fixture
def edits(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """What is done to the files, one edit after another, instead of waiting for somebody to do it."""
    made: list[Callable[[], object]] = []

    def changes(*_: str, **__: Any) -> Iterator[set[object]]:
        for edit in made:
            edit()
            yield set()
        raise KeyboardInterrupt

    monkeypatch.setattr(watchfiles, "watch", changes)
    return made


def test_a_change_is_checked(synclint_command: Command, here: Path, edits: list[Any]) -> None:
    file = here / "a.py"
    file.write_text("import torch\n")
    edits.append(lambda: file.write_text("import torch\nwait_101()\n"))
    outcome = synclint_command("check", "--watch", "--output-format", "concise")
    assert outcome.code == 130
    before, after = outcome.out.split("a.py:2:", 1)
    assert "SYNC101" not in before
    assert "SYNC101" in after


def test_garbage_is_collected_while_watching(synclint_command: Command, here: Path, edits: list[Any]) -> None:
    (here / "a.py").write_text("import torch\n")
    found: list[bool] = []
    edits.append(lambda: found.append(gc.isenabled()))
    synclint_command("check", "--watch")
    assert found == [True]


def test_a_broken_configuration_ends_one_run_only(synclint_command: Command, here: Path, edits: list[Any]) -> None:
    (here / "a.py").write_text("import torch\nwait_101()\n")
    configuration = here / "synclint.toml"
    edits += [lambda: configuration.write_text("select = "), lambda: configuration.write_text("")]
    outcome = synclint_command("check", "--watch", "--output-format", "concise")
    assert outcome.err.count("not valid TOML") == 1
    assert outcome.out.count("SYNC101") == 2


@pytest.mark.parametrize("path", ["-", "gone.py"])
def test_what_cannot_be_watched(synclint_command: Command, here: Path, path: str) -> None:
    outcome = synclint_command("check", "--watch", path)
    assert outcome.code == 2
    assert "--watch" in outcome.err


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/build/p/a.py", True),
        ("/build/p/n.ipynb", True),
        ("/build/p/synclint.toml", True),
        ("/build/p/requirements.txt", True),
        ("/build/p/a.png", False),
        ("/build/p/.venv/lib/a.py", False),
        ("/build/p/build/a.py", False),
    ],
)
def test_which_changes_matter(path: str, expected: bool) -> None:
    assert matters(path, ["/build/p"]) is expected
