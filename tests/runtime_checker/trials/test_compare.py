"""Facts against runs: what counts as a difference, and that operators and facts agree on the simulated device."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

import pytest
from synclint.runtime_checker.observe import Wait
from synclint.runtime_checker.trials.compare import Result, Trial, report, run

torch = pytest.importorskip("torch")

from synclint.runtime_checker.simulated.watcher import watch_simulated  # noqa: E402
from synclint.runtime_checker.trials.hidden import hidden_trials  # noqa: E402
from synclint.runtime_checker.trials.metrics import metric_trials  # noqa: E402
from synclint.runtime_checker.trials.operators import operator_trials  # noqa: E402

EXPLAINED = {
    "torch nested_tensor_from_jagged": "reads the longest sequence when it is first needed, not when it is made",
}
"""What differs, and why; nothing else may."""


class Told:
    """A watcher that sees what it was told."""

    device = "told"

    def __init__(self, waits: list[Wait]) -> None:
        self.waits = waits

    def __enter__(self) -> Told:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing was done."""


def trial(believed: int, prepare: Callable[[], Callable[[], object]] = lambda: lambda: None) -> Trial:
    return Trial("Metric", "default", believed, prepare)


@pytest.mark.parametrize(
    ("believed", "seen", "agrees"), [(0, 0, True), (2, 2, True), (2, 4, True), (2, 1, False), (0, 1, False)]
)
def test_facts_know_the_least_number(believed: int, seen: int, agrees: bool) -> None:
    waits = [Wait("a.py", 1, "item", "reads value")] * seen
    result = run(trial(believed), lambda: Told(waits))
    assert result.seen == seen
    assert result.agrees is agrees


def test_what_cannot_be_run_is_told() -> None:
    def prepare() -> Callable[[], object]:
        raise ModuleNotFoundError("no module")

    result = run(trial(1, prepare), lambda: Told([]))
    assert list(report([result, Result(trial(1), 0)])) == [
        "not run   Metric (default): ModuleNotFoundError: no module",
        "differs   Metric (default): expected 1, seen 0",
        "1 calls run, 1 differ, 1 could not be run",
    ]


def test_operators() -> None:
    with watch_simulated():
        results = [run(each, watch_simulated) for each in operator_trials()]
    differing = {result.trial.name for result in results if not result.agrees}
    assert differing <= EXPLAINED.keys()
    assert sum(result.seen is not None for result in results) > 30


def test_hidden_checks() -> None:
    with watch_simulated():
        results = [run(each, watch_simulated) for each in hidden_trials()]
    assert [result for result in results if not result.agrees] == []
    assert sum(result.seen is not None for result in results) > 400


def test_some_metrics() -> None:
    pytest.importorskip("torchmetrics")
    with watch_simulated():
        trials = [each for each in metric_trials() if each.name in ("MeanMetric", "MulticlassAccuracy", "BinaryROC")]
        results = [run(each, watch_simulated) for each in trials]
    assert [result for result in results if not result.agrees] == []
    assert len(results) >= 14
