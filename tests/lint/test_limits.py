"""Limits that a run meets are told with `--verbose`, with the files, whoever met them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synclint.lint.limits import MOST_CALLERS, MOST_ITEMS, Limit, at, note, taken, told

Command = Callable[..., Any]

LONG = f"import torch\nx = [{'torch.ones(3), ' * (MOST_ITEMS + 1)}]\n"
ITEMS = f"limit met: {int(MOST_ITEMS)} {MOST_ITEMS.about}"


@pytest.fixture(autouse=True)
def _nothing_met() -> None:
    taken()


def met(err: str) -> list[str]:
    return [line for line in err.splitlines() if line.startswith("limit met")]


def test_a_limit_met_while_reading_is_told(real_command: Command, here: Path) -> None:
    Path("long.py").write_text(LONG)
    Path("short.py").write_text(LONG.replace("torch.ones(3), ", "", 1))
    assert met(real_command(".", "--no-cache", "--verbose").err) == [f"{ITEMS} (long.py)"]
    assert met(real_command(".", "--no-cache").err) == []


def test_workers_tell_what_they_met(real_command: Command, here: Path) -> None:
    for name in "abcd":
        Path(f"{name}.py").write_text(LONG)
    outcome = real_command(".", "--no-cache", "--verbose", "--jobs", "2")
    assert met(outcome.err) == [f"{ITEMS} (a.py, b.py, c.py and 1 more)"]


def test_a_limit_met_while_linking_is_told(real_command: Command, here: Path) -> None:
    one, run = "    read(torch.ones(3))\n", "import torch\nfrom reads import read\ndef run():\n"
    Path("calls.py").write_text(run + one * (MOST_CALLERS + 1))
    Path("reads.py").write_text("import torch\ndef read(x):\n    return x.item()\n")
    expected = f"limit met: {int(MOST_CALLERS)} {MOST_CALLERS.about} (reads.py)"
    assert expected in met(real_command(".", "--no-cache", "--verbose").err)
    Path("calls.py").write_text(run + one * MOST_CALLERS)
    assert expected not in met(real_command(".", "--no-cache", "--verbose").err)


def test_what_is_known_from_an_earlier_run_meets_nothing(real_command: Command, here: Path) -> None:
    Path("long.py").write_text(LONG)
    assert met(real_command(".", "--verbose").err)
    assert met(real_command(".", "--verbose").err) == []


def test_each_limit_is_told_once_with_its_files() -> None:
    limit = Limit(2, "things, where there are more")
    at("a.py")
    assert limit.first((1, 2)) == (1, 2)
    assert not limit.is_exceeded(2)
    assert [*told()] == []
    assert limit.first((1, 2, 3)) == (1, 2)
    assert limit.met()
    at("")
    limit.met()
    note([*taken(), *taken()])
    assert [*told()] == ["limit met: 2 things, where there are more (a.py)"]
    assert [*told()] == []
