"""The record of waits, from plain tuples."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest
from synclint.runtime_checker.observe import HERE, Kind, Ledger, Wait, here, is_library, origin_of, stack_of

PACKAGES = sysconfig.get_path("purelib")
USER = os.path.join(os.sep, "home", "me", "train.py")
HELPER = os.path.join(os.sep, "home", "me", "metrics", "helper.py")
TORCH = os.path.join(PACKAGES, "torch", "_tensor.py")
METRICS = os.path.join(PACKAGES, "torchmetrics", "aggregation.py")
OURS = os.path.join(HERE, "simulated.py")


def wait(row: int, kind: Kind = "reads value", seconds: float | None = None, operator: str = "item") -> Wait:
    return Wait(USER, row, operator, kind, seconds)


def test_the_users_line_is_the_innermost_outside_of_libraries() -> None:
    origin = origin_of([(USER, 3, "<module>"), (HELPER, 8, "mean"), (METRICS, 93, "update"), (TORCH, 5, "f")])
    assert (origin.filename, origin.row) == (HELPER, 8)
    assert origin.library == (METRICS, 93)


def test_torch_is_named_where_nobody_else_called_it() -> None:
    assert origin_of([(USER, 3, "<module>"), (TORCH, 5, "f")]).library == (TORCH, 5)
    assert origin_of([(USER, 3, "<module>")]).library is None


def test_the_observers_own_frames_are_dropped() -> None:
    origin = origin_of([(USER, 3, "<module>"), (TORCH, 5, "f"), (OURS, 9, "record")])
    assert origin.stack == ((USER, 3, "<module>"), (TORCH, 5, "f"))


def test_roots_make_a_library_the_users_own() -> None:
    stack = [(USER, 3, "<module>"), (METRICS, 93, "update"), (TORCH, 5, "f")]
    origin = origin_of(stack, roots=[os.path.dirname(METRICS)])
    assert (origin.filename, origin.row) == (METRICS, 93)
    assert origin_of(stack, roots=[METRICS]).row == 93
    assert origin_of(stack, roots=[METRICS[:-3]]).filename == USER  # a prefix of a name is no directory


def test_a_program_that_is_installed_runs_lines_of_the_users_too() -> None:
    pytest_itself = os.path.join(os.path.dirname(METRICS), "pytest", "__main__.py")
    stack = [(pytest_itself, 5, "<module>"), (USER, 3, "test_step"), (TORCH, 5, "f")]
    assert origin_of(stack, roots=[os.path.dirname(pytest_itself)]).filename == USER


def test_roots_of_the_users_exclude_everything_else() -> None:
    assert origin_of([(USER, 3, "<module>"), (TORCH, 5, "f")], roots=["/elsewhere"]).filename == TORCH


def test_the_scripts_of_an_environment_are_nobodys_lines() -> None:
    assert is_library(os.path.join(sysconfig.get_path("scripts"), "synclint"))
    assert is_library(os.path.join(os.sep, "tmp", "torchinductor_me", "ab", "cab.py"))


def test_a_stack_without_a_line_of_the_users() -> None:
    assert origin_of([(METRICS, 93, "update"), (TORCH, 5, "f")]).filename == TORCH
    assert origin_of([]).filename == "<unknown>"


def test_which_files_are_libraries() -> None:
    assert is_library(TORCH)
    assert is_library(os.__file__)
    assert is_library("<frozen importlib._bootstrap>")
    assert is_library("<string>")
    assert is_library(os.path.join(os.sep, "app", ".venv", "lib", "site-packages", "x.py"))
    assert not is_library(USER)
    assert not is_library("<stdin>")
    assert not is_library(os.path.join(os.path.dirname(HERE), "examples", "item-call", "hazard.py"))


def test_where_the_program_is_now() -> None:
    origin = here()
    assert origin.filename == __file__
    assert origin.stack[-1][2] == "test_where_the_program_is_now"
    assert stack_of(None) == ()


def test_a_ledger_adds_up_the_waits_of_a_line() -> None:
    waits = [wait(3, seconds=0.5), wait(3, "copy to host", 0.25, "cpu"), wait(3), wait(9, seconds=1.0), wait(4)]
    ledger = Ledger(waits, steps=2)
    assert ledger.count == 5
    assert ledger.seconds == 1.75
    worst, second, third = ledger.lines()
    assert [line.row for line in (worst, second, third)] == [9, 3, 4]
    assert (second.count, second.count_per_step, second.seconds_per_step) == (3, 1.5, 0.375)
    assert second.kinds == ("copy to host", "reads value")
    assert second.operators == ("cpu", "item")
    assert third.seconds is None
    assert ledger.at(USER, 9) == worst
    assert ledger.at(USER, 10) is None


def test_a_ledger_without_steps_knows_no_rates() -> None:
    (line,) = Ledger([wait(1, seconds=1.0)]).lines()
    assert (line.count_per_step, line.seconds_per_step) == (None, None)
    assert Ledger().lines() == []
    assert Ledger().seconds is None


def test_what_is_installed_into_a_folder_of_its_own_is_a_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by `pip install --target`; a folder on the module search path without distributions is the user's."""
    for name in ("libs/acme-1.0.dist-info", "libs/acme", "src/mine"):
        (tmp_path / name).mkdir(parents=True)
    for folder in ("libs", "src"):
        monkeypatch.syspath_prepend(str(tmp_path / folder))
    assert is_library(str(tmp_path / "libs/acme/model.py"))
    assert not is_library(str(tmp_path / "src/mine/model.py"))
