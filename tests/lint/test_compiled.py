"""What is said of waits in compiled code is what Dynamo makes of them, as measured."""

from __future__ import annotations

import inspect
import re

import pytest
from synclint.lint.facts.dynamo import ROWS
from synclint.lint.finding import Finding, Kind, Severity
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings
from synclint.runtime_checker.tables.compiling import generate

RULES = [rule for rule in all_rules() if rule.kind is not Kind.META]
BREAKS = "`torch.compile` breaks the graph here"
WAITS = "`torch.compile` captures it, and it still waits"
HEAD = "import torch\nimport torch.nn.functional as F\nfrom typing import Any\n\n@torch.compile{options}\n"
REFUSED = "`torch.compile(fullgraph=True)` refuses it, which is an error"


def linted(source: str, torch: str = "2.15") -> list[Finding]:
    settings = Settings(hot_functions=("*",), torch=torch)
    result = run([File("program.py", named=True, data=source.encode())], settings, RULES, jobs=1)
    assert not result.failures, result.failures[0].trace
    return list(result.findings)


def compiled(body: str, options: str = "", torch: str = "2.15") -> list[Finding]:
    return linted(f"import torch\n\n@torch.compile{options}\ndef f(x: torch.Tensor):\n    {body}\n", torch)


def test_the_table_is_what_was_measured() -> None:
    words = re.sub(r"\s+|,(?=\s*\))", "", generate.TARGET.read_text(encoding="utf-8"))
    assert words == re.sub(r"\s+|,(?=\s*\))", "", generate.rendered())


@pytest.mark.parametrize(
    ("body", "default", "whole"),
    [
        ("return x.sum().item()", BREAKS, WAITS),
        ("return x.cpu()", WAITS, WAITS),
        ("return x[x > 0]", BREAKS, WAITS),
        ("return x.nonzero()", BREAKS, WAITS),
        ("return x if x.sum() > 0 else -x", BREAKS, REFUSED),
        ("return torch.equal(x, x)", BREAKS, REFUSED),
        ("print(x)", BREAKS, REFUSED),
    ],
)
def test_what_becomes_of_a_wait(body: str, default: str, whole: str) -> None:
    assert default in compiled(body)[0].message
    assert whole in compiled(body, "(fullgraph=True)")[0].message


def test_an_error_is_reported_as_one() -> None:
    (found,) = compiled("return x if x.sum() > 0 else -x", "(fullgraph=True)")
    assert found.kind is Kind.BUG
    (found,) = compiled("return x if x.sum() > 0 else -x")
    assert found.kind is Kind.STALL


def test_what_does_not_wait_once_it_is_compiled_is_a_note() -> None:
    assert {each.severity for each in compiled("return max(x.sum(), x.mean())")} == {Severity.NOTE}
    assert {each.severity for each in compiled("assert x.sum() > 0")} == {Severity.NOTE}


def test_versions_differ() -> None:
    assert REFUSED in compiled("return x.nonzero()", "(fullgraph=True)", "2.9")[0].message
    both = compiled("return x.nonzero()", "(fullgraph=True)", ">=2.9")[0].message
    assert f"since torch 2.13, {WAITS}; before, {REFUSED}" in both
    assert "torch.compile" not in compiled("return x.nonzero()", torch="2.6")[0].message


PROGRAM = """
import torch
from functools import partial

def helper(x: torch.Tensor):
    return x.nonzero()

class M(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return helper(x)

"""


@pytest.mark.parametrize(
    "compiles",
    [
        "m = torch.compile(M())\n",
        "m = M()\nm.compile()\n",
        "m = torch.compile(helper)\n",
        "@torch.compile\ndef f(x):\n    return helper(x)\n",
        "@partial(torch.compile, dynamic=False)\ndef f(x):\n    return helper(x)\n",
    ],
)
def test_compiled_code_is_found_through_calls(compiles: str) -> None:
    (found,) = linted(PROGRAM + compiles)
    assert BREAKS in found.message
    assert any("compiles" in each.message for each in found.reasons)


def test_code_that_is_left_to_python_is_not_compiled() -> None:
    left = PROGRAM.replace("def helper", "@torch.compiler.disable\ndef helper") + "m = torch.compile(M())\n"
    assert "torch.compile" not in linted(left)[0].message
    guarded = "if not torch.compiler.is_compiling():\n        print(x)"
    assert "torch.compile" not in compiled(guarded)[0].message


def test_no_word_is_untrue_of_the_programs_that_were_measured() -> None:
    """Each program is linted, compiled in both ways, and compared with what Dynamo said of that very program."""
    pytest.importorskip("torch")
    from synclint.runtime_checker.tables.compiling.programs import PROGRAMS

    newest = generate.measurements()[-1]
    said = 0
    for kind, programs in PROGRAMS.items():
        outcomes = {each["program"]: each for each in newest["found"].get(kind, ())}
        for program in programs:
            source = inspect.getsource(program).partition("\n")[2]
            for options, how in (("", "default"), ("(fullgraph=True)", "fullgraph")):
                head = HEAD.format(options=options)
                found = [each for each in linted(head + source) if kind.startswith(each.code)]
                for each in found:
                    said += _is_true(each.message, outcomes[program.__name__], how)
    assert said > 60


def _is_true(message: str, outcome: dict[str, object], how: str) -> bool:
    """Check what a message says of `torch.compile`, if it says anything."""
    happened, words = outcome[how], message.rpartition("host")[2]
    if "torch.compile" not in message:
        return False
    if REFUSED in message:
        assert happened == "error", (message, outcome)
    elif "refuses it" in words:
        assert happened in ("captured", "error"), (message, outcome)
    elif "breaks" in words and "or captures" not in words:
        assert happened == "breaks", (message, outcome)
    elif WAITS in message and "breaks" not in words:
        assert happened == "captured", (message, outcome)
        assert outcome.get("waits", True), (message, outcome)
    elif "does not wait" in message:
        assert (happened, outcome["waits"]) == ("captured", False), (message, outcome)
    return True


def test_every_row_is_known_by_a_rule() -> None:
    codes = {rule.code for rule in RULES}
    assert {kind.partition(":")[0] for kind in ROWS} <= codes
