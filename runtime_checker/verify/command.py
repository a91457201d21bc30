"""Runs the examples and compares: marked lines wait, no others do, and hazard and fix compute the same.

    python -m synclint.runtime_checker.verify.command [RULE...] [--device auto|cuda|emulated|simulated] [--record]

Needs only torch.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..device import DEVICES, DeviceError
from .evidence import UncleanError, commit, write
from .examples import (
    Example,
    MissingLibraryError,
    Program,
    all_examples,
    installed_version,
    libraries_of,
    loaded,
    quietly,
    same,
)
from .means import Means, choose
from .other_proofs import OTHER_PROOFS
from .outcome import DISAGREES, MODELLED, NOT_APPLICABLE, NOT_MEASURED, OBSERVED, Outcome, table

if TYPE_CHECKING:
    from pathlib import Path

    from ..observe import Wait

WARM_UP: Final = 2
STEPS: Final = 2
ADVICE: Final = frozenset({"SYNC407", "SYNC601", "SYNC602", "SYNC603", "SYNC604"})
"""Rules about lines that cost extra work, or wait only with more than one GPU."""


@dataclass(slots=True)
class Run:
    """The waits of a program's steps, as each way to watch has seen them, and the last result."""

    seen: dict[str, list[Wait]]
    result: Any

    @property
    def waits(self) -> list[Wait]:
        """The waits that the first way saw, which disturbs the program least."""
        return next(iter(self.seen.values()))

    @property
    def all_waits(self) -> list[Wait]:
        """The waits that any of them saw."""
        return [wait for waits in self.seen.values() for wait in waits]

    def rows(self, program: Program) -> set[int]:
        """The rows of the program that waited, whoever saw it."""
        return {wait.row for wait in self.all_waits if wait.filename == str(program.path)}


def run_program(program: Program, means: Means) -> Run:
    """Set up a program, warm it up, and watch its steps in each available way."""
    import torch

    roots = (str(program.path),)
    seen: dict[str, list[Wait]] = {}
    result: Any = None
    with quietly(), means.device(), loaded(program.path) as module:
        state = module.setup(torch.device("cuda"))
        for _ in range(WARM_UP):
            module.step(state)
        for name, watch in means.ways.items():
            with watch(roots) as watcher:
                for _ in range(STEPS):
                    result = module.step(state)
            seen[name] = watcher.waits
    return Run(seen, result)


def check(example: Example, means: Means) -> Outcome:
    """Run both programs of an example and compare what waits with what is marked."""
    outcome = Outcome(example.code, example.name, means.verdict, libraries=libraries_of(example))
    other = OTHER_PROOFS.get(example.code)
    try:
        if other is None:
            _compare(example, means, outcome)
        else:
            outcome.proofs, outcome.why = other(example, means)
    except MissingLibraryError as error:
        outcome.verdict, outcome.why = NOT_APPLICABLE, [str(error)]
        return outcome
    except Exception as error:  # an example that fails is a result like any other; the rest must still run
        outcome.why.append(f"raised {type(error).__name__}: {error}")
    if outcome.why and outcome.verdict != NOT_APPLICABLE:
        outcome.verdict = DISAGREES
    return outcome


def _compare(example: Example, means: Means, outcome: Outcome) -> None:
    hazard, fixed = run_program(example.hazard, means), run_program(example.fixed, means)
    active = _active(example)
    advice = {row for row, codes in active.items() if codes <= ADVICE}
    seen = hazard.rows(example.hazard)
    _measure(outcome, hazard, active, timed=means.lags)
    outcome.expected, outcome.seen = sorted(set(active) - (advice - seen)), sorted(seen)
    outcome.why += [f"hazard.py:{row} is marked but does not wait" for row in sorted(set(active) - seen - advice)]
    outcome.why += [_unmarked("hazard.py", row, hazard) for row in sorted(seen - set(active))]
    outcome.why += [_unmarked("fixed.py", row, fixed) for row in sorted(fixed.rows(example.fixed))]
    if not same(hazard.result, fixed.result):
        outcome.why.append("hazard.py and fixed.py compute different results")
    if not outcome.why and not outcome.expected:
        outcome.verdict = NOT_MEASURED
    if not outcome.why and not any(example.code in codes for codes in active.values()):
        conditions = sorted({mark.condition for mark in example.hazard.marks if mark.code == example.code})
        needed = " ".join(f"'{condition}'" for condition in conditions)
        outcome.verdict = NOT_APPLICABLE
        outcome.why = [
            f"only with {', '.join(conditions)}: run it in an environment of its own, with `pip install {needed}`"
        ]


def _active(example: Example) -> dict[int, set[str]]:
    """Return the rows of the hazard's step that are marked for the installed versions, with the rules."""
    rows: dict[int, set[str]] = {}
    for mark in example.hazard.marks:
        if mark.row in example.hazard.body and mark.applies(installed_version):
            rows.setdefault(mark.row, set()).add(mark.code)
    return rows


def _measure(outcome: Outcome, hazard: Run, active: Iterable[int], *, timed: bool) -> None:
    """Count the waits of the marked rows and, on a GPU, their time per step, and say who saw all of these rows."""
    rows = set(active)
    outcome.waits = sum(wait.row in rows for wait in hazard.waits) // STEPS
    outcome.seconds = _seconds(hazard, rows) if timed else None
    found = {name: {wait.row for wait in seen} & rows for name, seen in hazard.seen.items()}
    every = set().union(*found.values())
    outcome.proofs = sorted(name for name, seen in found.items() if every and seen == every)


def _seconds(hazard: Run, rows: Container[int]) -> float | None:
    """The blocked time of a step, by the first way that has timed all that it saw: the debug mode has no clock."""
    for seen in hazard.seen.values():
        times = [wait.seconds for wait in seen if wait.row in rows]
        known = [each for each in times if each is not None]
        if known and len(known) == len(times):
            return sum(known) / STEPS
    return None


def _unmarked(name: str, row: int, run: Run) -> str:
    kinds = sorted({f"{wait.operator}: {wait.kind}" for wait in run.all_waits if wait.row == row})
    return f"{name}:{row} is not marked but waits ({', '.join(kinds)})"


def verify(rules: Sequence[str] = (), device: str = "auto", record: bool = False, folders: Sequence[Path] = ()) -> int:
    """Check the examples of the given rules, or of all, print a table, and return 1 if anything disagrees.

    `folders` are where plugins have examples, of which no evidence is kept.
    """
    examples = [each for each in all_examples(*folders) if not rules or each.code in rules or each.name in rules]
    unknown = set(rules) - {each.code for each in examples} - {each.name for each in examples}
    if unknown:
        print(f"no example for {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    try:
        means = choose(device)
    except DeviceError as error:
        print(f"synclint: {error}", file=sys.stderr)
        return 2
    if record and means.verdict == MODELLED:
        print("evidence comes from a GPU or the emulated device; the simulated device is a model", file=sys.stderr)
        return 2
    try:
        at = commit() if record else ""
    except UncleanError as error:
        print(error, file=sys.stderr)
        return 2
    outcomes = [check(each, means) for each in examples]
    print(table(outcomes, means.name()))
    if record:
        ours = [each for each in outcomes if each.code.startswith("SYNC")]
        print(f"recorded in {write(ours, at, emulated=means.verdict == OBSERVED)}")
    return int(any(outcome.verdict == DISAGREES for outcome in outcomes))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line without any other library."""
    import argparse

    parser = argparse.ArgumentParser(prog="synclint verify", description=__doc__.partition("\n")[0])
    parser.add_argument("rules", nargs="*", metavar="RULE")
    parser.add_argument("--device", choices=DEVICES, default="auto")
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args(arguments)
    return verify(given.rules, given.device, given.record)


if __name__ == "__main__":
    sys.exit(main())
