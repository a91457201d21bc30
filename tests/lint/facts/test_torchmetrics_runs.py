"""The hand-written table of metrics and the generated one tell the same story; the generated one can be made again."""

from __future__ import annotations

import inspect

import pytest
from synclint.lint.facts import torchmetrics as facts
from synclint.lint.facts.torchmetrics_runs import RUNS, TORCHMETRICS
from synclint.lint.settings.versions import Versions, allowed

VERSIONS = Versions({"torchmetrics": allowed(TORCHMETRICS)})
NOT_RUN = {
    "BootStrapper": "wraps another metric",
    "MultioutputWrapper": "wraps another metric",
    "PanopticQuality": "wants segments",
    "ModifiedPanopticQuality": "wants segments",
    "Perplexity": "wants the probabilities of words",
}
"""Rows of classes that are not run on plain tensors. `test_torchmetrics.py` runs them, each in its own way."""


@pytest.mark.parametrize("name", sorted(RUNS))
def test_what_waits_has_a_row_that_says_why(name: str) -> None:
    key = facts.family_of(name)
    row = facts.ROWS.get(key) if key else None
    has_row = row is not None and VERSIONS.may_be("torchmetrics", until=row.until)
    assert has_row or name in facts.AGGREGATORS or not any(RUNS[name].values())


@pytest.mark.parametrize("key", sorted(facts.ROWS.keys() - NOT_RUN.keys()))
def test_a_row_speaks_of_classes_that_wait(key: str) -> None:
    row = facts.ROWS[key]
    waits = [any(runs.values()) for name, runs in RUNS.items() if facts.family_of(name) == key]
    assert any(waits) == VERSIONS.may_be("torchmetrics", until=row.until)


@pytest.mark.parametrize("name", sorted(RUNS))
def test_numbers_of_waits_are_the_least(name: str) -> None:
    key = facts.family_of(name)
    row = facts.ROWS.get(key) if key else None
    if row is None or row.update is None or row.needs or not VERSIONS.may_be("torchmetrics", until=row.until):
        return
    assert all(waits >= row.update.waits for waits in RUNS[name].values())


def test_a_class_that_only_runs_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RUNS, "NewMetric", {"default": 3})
    monkeypatch.setitem(RUNS, "QuietMetric", {"default": 0})
    row = facts.row_of("NewMetric")
    assert row is not None
    assert row.update == (
        3,
        f"reads or copies values on every update, as a run of TorchMetrics {TORCHMETRICS} showed",
    )
    assert facts.row_of("QuietMetric") is None
    assert facts.row_of("MeanMetric") is None


@pytest.mark.torch
def test_it_can_be_made_again() -> None:
    torchmetrics = pytest.importorskip("torchmetrics")
    from synclint.lint.facts import torchmetrics_runs
    from synclint.runtime_checker.simulated.watcher import watch_simulated
    from synclint.runtime_checker.tables.generate_metrics import rendered
    from synclint.runtime_checker.trials.compare import run
    from synclint.runtime_checker.trials.metrics import metric_trials

    if torchmetrics.__version__ != TORCHMETRICS:
        pytest.skip(f"the table is that of {TORCHMETRICS}")
    wanted = ("MeanMetric", "MulticlassAccuracy", "RootMeanSquaredErrorUsingSlidingWindow")
    with watch_simulated() as watcher:
        found = [run(trial, watch_simulated) for trial in metric_trials() if trial.name in wanted]
    made = rendered(found, watcher.device).splitlines()
    rows = [line for line in made if line.startswith('    "')]
    assert len(rows) == len(wanted)
    assert set(rows) <= set(inspect.getsource(torchmetrics_runs).splitlines())
