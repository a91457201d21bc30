"""Runs what the linter believes about libraries, and prints where the device at hand disagrees.

    python -m synclint.runtime_checker.trials.compare [--device auto|cuda|simulated]

The facts in `lint/facts/` and the simulated device were written independently, so each difference is a mistake in one
of them or worth an explanation. The calls are made here; whether they wait comes from the facts on one side and from a
run on the other.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..observe import Watcher


@dataclass(frozen=True, slots=True)
class Trial:
    """One call: the least number of waits according to the facts, and how to run it.

    `prepare` is run unwatched, and what it returns watched.
    """

    name: str
    variant: str
    believed: int
    prepare: Callable[[], Callable[[], object]]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a trial; `seen` is None if it could not be run, and `note` says why, or by what it waited."""

    trial: Trial
    seen: int | None
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether facts and run agree: no wait, or at least as many as expected."""
        if self.seen is None:
            return True
        return (self.seen > 0) == (self.trial.believed > 0) and self.seen >= self.trial.believed


def run(trial: Trial, watch: Callable[[], Watcher]) -> Result:
    """Run one call."""
    try:
        with warnings.catch_warnings(action="ignore") if sys.version_info >= (3, 11) else warnings.catch_warnings():
            call = trial.prepare()
            with watch() as watcher:
                call()
    except Exception as error:
        return Result(trial, None, f"{type(error).__name__}: {error}".partition("\n")[0])
    counted: dict[str, int] = {}
    for wait in watcher.waits:
        counted[wait.operator] = counted.get(wait.operator, 0) + 1
    return Result(trial, len(watcher.waits), ", ".join(f"{count} {name}" for name, count in sorted(counted.items())))


def report(results: Iterable[Result]) -> Iterator[str]:
    """Yield a line for each difference and each call that could not be run, then the counts."""
    results = list(results)
    for result in results:
        trial = result.trial
        if result.seen is None:
            yield f"not run   {trial.name} ({trial.variant}): {result.note}"
        elif not result.agrees:
            waits = f"expected {trial.believed}, seen {result.seen}" + (f": {result.note}" if result.note else "")
            yield f"differs   {trial.name} ({trial.variant}): {waits}"
    ran = [result for result in results if result.seen is not None]
    differing = sum(not result.agrees for result in ran)
    yield f"{len(ran)} calls run, {differing} differ, {len(results) - len(ran)} could not be run"


def compare(device: str) -> list[Result]:
    """Return the results of all trials on a device."""
    from ..verify.means import choose
    from .hidden import hidden_trials
    from .metrics import metric_trials
    from .operators import operator_trials

    means = choose(device)
    watch: Callable[[], Any] = lambda: next(iter(means.ways.values()))(())  # noqa: E731
    with means.device():
        return [run(trial, watch) for trial in (*operator_trials(), *hidden_trials(), *metric_trials())]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the differences and return 1 if there are any."""
    import argparse

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", choices=["auto", "cuda", "simulated"], default="auto")
    results = compare(parser.parse_args(arguments).device)
    print("\n".join(report(results)))
    return int(not all(result.agrees for result in results))


if __name__ == "__main__":
    sys.exit(main())
