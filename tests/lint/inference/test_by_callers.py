"""Where callers of a function pass different things, a report names those for which it waits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

Linted = Callable[..., list[Finding]]
GIVEN = """
import torch
def work(value):
    return float(value)
"""
ASKED = """
import torch
def work(value):
    if isinstance(value, float):
        return 0
    return (value * 2).item()
"""
DEVICE, HOST, UNKNOWN = "work(torch.ones((), device='cuda'))", "work(3.0)", "work(x.rate)"
STEP = f"def step(x):\n    {DEVICE}\n    log(x)\n    show(x)\n"
BOTH = "`step` passes what may be on the device, and `log` passes what is not"


def told(linted: Linted, callers: str, given: str = GIVEN) -> list[str]:
    """Return why what is given is waited for, as said of the only report."""
    (found,) = linted(main=given + callers)
    return [each.message for each in found.reasons if "pass" in each.message]


def calling(name: str, call: str) -> str:
    """Return a function with a call."""
    return f"def {name}(x):\n    {call}\n"


def test_callers_that_pass_a_tensor_are_named_beside_those_that_pass_a_number(linted: Linted) -> None:
    assert told(linted, STEP + calling("log", HOST)) == [BOTH]


@pytest.mark.parametrize("others", ["", calling("log", DEVICE), calling("log", "log(x)")])
def test_nothing_is_told_where_all_callers_pass_the_same(linted: Linted, others: str) -> None:
    assert not told(linted, STEP + others)


def test_a_caller_that_passes_both_is_told_so(linted: Linted) -> None:
    words = "a call in `step` passes what may be on the device, and a call in `step` passes what is not"
    assert told(linted, f"{STEP}    {HOST}\n") == [words]


def test_callers_of_which_it_is_not_known_count_neither_way(linted: Linted) -> None:
    shown = calling("show", UNKNOWN)
    assert told(linted, STEP + calling("log", HOST) + shown) == [f"{BOTH}; it is not known what `show` passes"]
    assert not told(linted, STEP + shown)


def test_what_is_computed_of_a_parameter_and_asked_of_it_counts(linted: Linted) -> None:
    assert told(linted, STEP + calling("log", "work(torch.ones(()))"), ASKED) == [BOTH]


def test_a_method_s_callers_are_named_across_files(linted: Linted) -> None:
    meter = "class Meter:\n    def update(self, value):\n        print(f'{value:.3f}')\n"
    main = "import torch\nfrom meter import Meter\nmeter = Meter()\n"
    main += STEP.replace("work(", "meter.update(") + calling("log", HOST).replace("work(", "meter.update(")
    (found,) = linted(main=main, meter=meter)
    assert found.span.filename == "meter.py"
    assert BOTH in [each.message for each in found.reasons]


def test_callers_of_one_name_are_told_apart(linted: Linted) -> None:
    methods = f"class A:\n    def run(self, x):\n        {DEVICE}\nclass B:\n    def run(self, x):\n        {HOST}\n"
    callers = "def step(x):\n    A().run(x)\n    B().run(x)\n"
    words = "`A.run` passes what may be on the device, and `B.run` passes what is not"
    assert told(linted, methods + callers) == [words]
