"""Runs what the linter believes about torch and TorchMetrics, and prints where the device at hand says otherwise.

    python -m synclint.runtime_checker.trials.compare [--device auto|cuda|emulated|simulated]

The calls are made here; whether they wait is taken from the facts in `lint/facts/` on one side and from a run on the
other, so each difference is a mistake of one of them, or is explained in `explained.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from .explained import reason
from .trial import Result, Trial, run

HEAD: Final = ("facts about", "tried", "agree", "explained", "differ", "not run")


def report(areas: Mapping[str, Iterable[Result]]) -> Iterator[str]:
    """A line for each difference and each call that could not be run, then a table."""
    rows: list[tuple[str, ...]] = [HEAD]
    for area, results in areas.items():
        results = [result for result in results if not result.is_absent]
        yield from filter(None, map(_line, results))
        rows.append((area, *map(str, counts(results))))
    yield ""
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def counts(results: Sequence[Result]) -> tuple[int, int, int, int, int]:
    """Return how many were tried, agree, differ for a reason, differ, and could not be run."""
    ran = [result for result in results if result.seen is not None]
    differing = [result for result in ran if not result.agrees]
    explained = sum(is_explained(result) for result in differing)
    return len(ran), len(ran) - len(differing), explained, len(differing) - explained, len(results) - len(ran)


def is_explained(result: Result) -> bool:
    """Whether there is a reason for a difference, with the torch that is installed."""
    return bool(reason(result.trial.name, result.trial.variant))


def _line(result: Result) -> str:
    trial = result.trial
    if result.seen is None:
        return f"not run   {trial.name} ({trial.variant}): {result.note}"
    if result.agrees:
        return ""
    waits = f"believed {trial.believed}, seen {result.seen}" + (f": {result.note}" if result.note else "")
    where = f"; believed on {trial.lives}, is on {result.lives}" if trial.lives not in ("", result.lives) else ""
    why = reason(trial.name, trial.variant)
    return f"differs   {trial.name} ({trial.variant}): {waits}{where}" + (f" (explained: {why})" if why else "")


def all_trials() -> dict[str, list[Trial]]:
    """The trials by area of the facts."""
    from .graphs import graph_trials
    from .hidden import hidden_trials
    from .libraries import library_trials
    from .metrics import metric_trials
    from .operators import operator_trials
    from .others import other_trials
    from .signatures import signature_trials
    from .waits import stored

    return {
        "operators and copies": list(operator_trials()),
        "distributions, matrices, modules, optimizers": list(hidden_trials()),
        "attributes, casts, indices, host values": list(other_trials()),
        "signatures": list(signature_trials(stored())),
        "TorchMetrics": list(metric_trials()),
        "PyTorch Geometric": list(graph_trials()),
        "other libraries": list(library_trials()),
    }


def compare(device: str) -> dict[str, list[Result]]:
    """All trials on a device."""
    from ..verify.means import choose

    means = choose(device)
    senses = list(means.ways.values())[-1]  # the ones that see most
    watch: Callable[[], Any] = lambda: senses(())  # noqa: E731
    with means.device():
        return {area: [run(trial, watch) for trial in trials] for area, trials in all_trials().items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the differences and return 1 if one is not explained."""
    import argparse

    from ..device import DEVICES

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", choices=DEVICES, default="auto")
    found = compare(parser.parse_args(arguments).device)
    print("\n".join(report(found)))
    return int(any(not result.agrees and not is_explained(result) for results in found.values() for result in results))


if __name__ == "__main__":
    sys.exit(main())
