"""A stand-in for the inference, so that what surrounds it is tested alone.

In a linted file, a call of `wait_101()` is a certain wait that runs every step and that rule SYNC101 reports;
`maybe_101()` is a likely one, `rare_101()` happens every few steps, `once_101()` once, and `crash_101()` makes the rule
raise. `hang()`, `compute()` (for ever) and `die()` do that to the analysis.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from synclint.lint import cli
from synclint.lint.files.source import Source
from synclint.lint.finding import Confidence, Frequency, Kind, Level, Reason, Span
from synclint.lint.inference import linking, reading
from synclint.lint.rule import Report, Rule, all_rules

HOW = {
    "wait": (Confidence.CERTAIN, Level.EVERY_STEP),
    "crash": (Confidence.CERTAIN, Level.EVERY_STEP),
    "maybe": (Confidence.LIKELY, Level.EVERY_STEP),
    "rare": (Confidence.LIKELY, Level.EVERY_N_STEPS),
    "once": (Confidence.CERTAIN, Level.ONCE),
    "guess": (Confidence.POSSIBLE, Level.EVERY_STEP),
}
CALL = re.compile(r"(wait|crash|maybe|rare|once|guess)_(\d+)\(\)")


@dataclass(frozen=True)
class Wait:
    span: Span
    how: str
    rule: str


def analyse(
    source: Source,
    modules: object = None,
    gpu_names: object = (),
    calls: object = (),
    facts: object = (),
    default_device: str = "",
) -> object:
    if "hang()" in source.text:
        time.sleep(60)
    if "die()" in source.text:
        os._exit(3)
    if "bug()" in source.text:
        raise KeyError("a bug of ours")
    if "deep()" in source.text:
        _recurse(3000)
    while "compute()" in source.text:
        pass
    return SimpleNamespace(filename=source.filename, operations=list(_waits(source)))


def _recurse(depth: int) -> None:
    if depth:
        _recurse(depth - 1)


def _waits(source: Source) -> Iterator[Wait]:
    for row, line in enumerate(source.lines, 1):
        for match in CALL.finditer(line):
            span = Span(source.filename, row, match.start() + 1, row, match.end() + 1)
            yield Wait(span, match[1], match[2])


class WholeProject:
    def __init__(self, summaries: list[SimpleNamespace], reported: Collection[str], *_: object) -> None:
        self.waits = [wait for each in summaries if each.filename in reported for wait in each.operations]

    def operations(self, settings: object) -> list[Wait]:
        return self.waits


def fake_rule(number: str, name: str, kind: Kind = Kind.STALL, default: bool = True) -> Rule:
    def check(wait: Wait) -> Report | None:
        if wait.rule != number:
            return None
        if wait.how == "crash":
            raise ZeroDivisionError("a rule's bug")
        confidence, level = HOW[wait.how]
        frequency = Frequency(level, (Reason("loop over a DataLoader", wait.span),))
        row = wait.span.row
        return Report(f"`{wait.how}` waits", wait.span, frequency, confidence, statement=(row, row))

    return Rule(f"SYNC{number}", name, kind, default, check, (Wait,), "What happens.\n\nWrite it differently.")


@pytest.fixture(autouse=True)
def _outside_of_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """No service chooses the format or is told where a report goes."""
    for name in ("ACTIONS", "STEP_SUMMARY", "WORKSPACE"):
        monkeypatch.delenv(f"GITHUB_{name}", raising=False)
    for name in ("CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def inference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the stand-in and a few rules for it in the place of the real ones."""
    stand_ins: tuple[tuple[ModuleType, str, Any], ...] = (
        (reading, "interpreter", analyse),
        (linking, "link", WholeProject),
    )
    for room, name, stand_in in stand_ins:
        module = ModuleType(f"{room.__name__}.{name}")
        setattr(module, stand_in.__name__, stand_in)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setattr(room, name, module, raising=False)
    fakes = [
        fake_rule("101", "item-call"),
        fake_rule("102", "tensor-tolist"),
        fake_rule("111", "explicit-synchronize", default=False),
        fake_rule("404", "cpu-metric-under-ddp", Kind.BUG),
    ]
    rules = (*fakes, *(rule for rule in all_rules() if rule.kind is Kind.META))
    for module_name in ("plugins.known", "rule"):
        monkeypatch.setattr(f"synclint.lint.{module_name}.all_rules", lambda: rules)


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def synclint_command(inference: None, real_command: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """The command line in this process, with the stand-in."""
    return real_command


@pytest.fixture
def real_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """The command line in this process."""

    def call(*arguments: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["synclint", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            cli.main()
        captured = capsys.readouterr()
        return Outcome(exit_.value.code, captured.out, captured.err)  # type: ignore[arg-type]

    return call


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
