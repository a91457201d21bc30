"""Where callers of a function pass different things, a report names those for which it waits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

Linted = Callable[..., list[Finding]]
GIVEN = "import torch\ndef work(value):\n    return float(value)\n"
DEVICE, HOST = "work(torch.ones((), device='cuda'))", "work(3.0)"


def told(linted: Linted, callers: str, given: str = GIVEN) -> list[str]:
    """Return why what is given is waited for, as said of the only report."""
    (found,) = linted(main=given + callers)
    return [each.message for each in found.reasons if "pass" in each.message]


def test_callers_that_pass_a_tensor_are_named_beside_those_that_pass_a_number(linted: Linted) -> None:
    callers = f"def step(x):\n    {DEVICE}\n    log(x)\ndef log(x):\n    {HOST}\n"
    assert told(linted, callers) == ["`step` passes what is waited for here, and `log` passes something else"]


@pytest.mark.parametrize("callers", [DEVICE, f"{DEVICE}\n    {DEVICE}", f"{DEVICE}\n    other()\ndef other():\n    {DEVICE}"])
def test_nothing_is_told_where_all_callers_pass_the_same(linted: Linted, callers: str) -> None:
    assert not told(linted, f"def step():\n    {callers}\n")


def test_a_caller_that_passes_both_is_told_so(linted: Linted) -> None:
    callers = f"def step():\n    {DEVICE}\n    {HOST}\n"
    words = "a call in `step` passes what is waited for here, and a call in `step` passes something else"
    assert told(linted, callers) == [words]


def test_callers_of_which_it_is_not_known_are_counted_neither_way(linted: Linted) -> None:
    callers = f"def step(y, z):\n    {DEVICE}\n    log(y)\n    show(z)\ndef log(y):\n    {HOST}\ndef show(z):\n    work(z.rate)\n"
    words = "`step` passes what is waited for here, and `log` passes something else; it is not known what `show` passes"
    assert told(linted, callers) == [words]
    callers = f"def step(z):\n    {DEVICE}\n    show(z)\ndef show(z):\n    work(z.rate)\n"
    assert not told(linted, callers)


def test_what_is_computed_of_a_parameter_and_asked_of_it_counts(linted: Linted) -> None:
    given = "import torch\ndef work(value):\n    if isinstance(value, float):\n        return 0\n    return (value * 2).item()\n"
    callers = f"def step(x):\n    {DEVICE}\n    log(x)\ndef log(x):\n    work(torch.ones(()))\n"
    assert told(linted, callers, given) == ["`step` passes what is waited for here, and `log` passes something else"]


def test_a_method_s_callers_are_named_across_files(linted: Linted) -> None:
    meter = "class Meter:\n    def update(self, value):\n        print(f'{value:.3f}')\n"
    main = f"import torch\nfrom meter import Meter\n{GIVEN}def step():\n    m = Meter()\n    m.update(torch.ones((), device='cuda'))\n    log(m)\n"
    main += "def log(m: Meter):\n    m.update(2.0)\n"
    (found,) = linted(main=main, meter=meter)
    assert found.span.filename == "meter.py"
    assert "`step` passes what is waited for here, and `log` passes something else" in [e.message for e in found.reasons]
