"""Every rule is proven by what its own example waits for: on the simulated device or, on request, the emulated one."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from synclint.runtime_checker.emulated.load import is_loaded
from synclint.runtime_checker.script.proofs import proves
from synclint.runtime_checker.verify.command import run_program
from synclint.runtime_checker.verify.examples import (
    Example,
    MissingLibraryError,
    all_examples,
    installed_version,
)
from synclint.runtime_checker.verify.means import choose
from synclint.runtime_checker.verify.other_proofs import OTHER_PROOFS

EXAMPLES = [each for each in all_examples() if each.code not in OTHER_PROOFS and each.code < "SYNC9"]


def test_a_copy_is_no_read_and_the_unknown_is_neither() -> None:
    assert not proves("SYNC101", "copy to device")
    assert not proves("SYNC101", "unknown")
    assert proves("SYNC504", "unknown")
    assert proves("SYNC408", "copy to host")
    assert not proves("SYNC408", "synchronize")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_waits_of_an_example_prove_its_rules(example: Example) -> None:
    try:
        run = run_program(example.hazard, choose("emulated" if is_loaded() else "simulated"))
    except MissingLibraryError as error:
        pytest.skip(str(error))
    marks = [
        mark for mark in example.hazard.marks if mark.row in example.hazard.body and mark.applies(installed_version)
    ]
    for mark in marks:
        kinds = {wait.kind for wait in run.all_waits if wait.row == mark.row}
        assert not kinds or any(proves(mark.code, kind) for kind in kinds), (mark, kinds)
