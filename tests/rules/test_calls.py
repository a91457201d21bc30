"""A rule in one file is called for the calls that it names; nothing else has to know of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from synclint.lint.operations import Call
from synclint.lint.rule import Calls, Report, Rule, all_rules, rule
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

PROGRAM = """
import numpy, torch

def step(x, array):
    a = torch.rand(3, device="cuda")
    {call}
    return a.sum()

for batch in torch.utils.data.DataLoader(range(9)):
    step(batch, numpy.zeros(3))
"""


@rule("SYNC299", "cumsum-call", calls=("torch.cumsum", "Tensor.cumsum"))
def cumsum(op: Call) -> Report | None:
    return op.finding(op.name, op.subject)


@rule("SYNC298", "cumprod-call", calls=("cumprod",))
def cumprod(op: Call) -> Report | None:
    return op.finding(op.name, op.subject)


def messages(call: str, rules: list[Rule], cache: Path | None = None) -> list[str]:
    Path("train.py").write_text(PROGRAM.format(call=call))
    result = run([File("train.py", True)], Settings(), rules, cache=cache, jobs=1)
    assert not result.failures
    return [each.message for each in result.findings]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("a.cumsum(0)", ["torch.Tensor.cumsum"]),
        ("torch.cumsum(a, 0)", ["torch.cumsum"]),
        ("numpy.cumsum(a)", []),
        ("a.cumprod(0)", []),
    ],
)
def test_a_rule_sees_the_calls_that_it_names(call: str, found: list[str]) -> None:
    assert messages(call, [cumsum]) == found


def test_a_name_alone_stands_for_all_that_are_called_so() -> None:
    assert messages("numpy.cumprod(a); a.cumprod(0)", [cumsum, cumprod]) == ["numpy.cumprod", "torch.Tensor.cumprod"]


def test_what_was_kept_without_the_rule_does_not_hide_its_calls(tmp_path: Path) -> None:
    assert messages("a.cumsum(0)", list(all_rules()), tmp_path / "cache") == []
    assert messages("a.cumsum(0)", [cumsum], tmp_path / "cache") == ["torch.Tensor.cumsum"]


@pytest.mark.parametrize(
    ("name", "full", "is_meant"),
    [
        ("torch.unique", "torch.unique", True),
        ("torch.unique", "torch.Tensor.unique", False),
        ("torch.unique", "?.unique", False),
        ("Tensor.unique", "torch.Tensor.unique", True),
        ("Tensor.unique", "?.unique", True),
        ("Tensor.unique", "torch.unique", False),
        ("unique", "pandas.unique", True),
        ("unique", "?.unique", True),
        ("unique", "torch.is_unique", False),
    ],
)
def test_a_name_is_the_end_of_a_full_name(name: str, full: str, is_meant: bool) -> None:
    assert Calls([name]).have(full) is is_meant
