"""Facts against runs: what counts as a difference, that every row has a trial, and that trials agree where we are."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable
from types import TracebackType

import pytest
from synclint.lint.facts import (
    attributes,
    distributions,
    dtypes,
    graph_layers,
    hidden_checks,
    host,
    library_waits,
    torch_geometric,
    torch_linalg,
    torch_ops,
    torch_optimizers,
    torch_signatures,
    torch_transfers,
)
from synclint.runtime_checker.observe import Wait
from synclint.runtime_checker.trials import graphs, libraries
from synclint.runtime_checker.trials.compare import all_trials, counts, is_explained, report
from synclint.runtime_checker.trials.explained import EXPLAINED, NO_TRIAL, reason
from synclint.runtime_checker.trials.trial import Result, Trial, run

torch = pytest.importorskip("torch")

from synclint.runtime_checker.simulated.watcher import watch_simulated  # noqa: E402

SHOWN = ("MeanMetric", "MulticlassAccuracy", "BinaryROC")
"""The metrics that are tried here; all others take long."""
FEWEST = {
    "operators and copies": 50,
    "distributions, matrices, modules, optimizers": 430,
    "attributes, casts, indices, host values": 250,
    "signatures": 1800,
    "TorchMetrics": 10,
}


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


def trial(believed: int, prepare: Callable[[], Callable[[], object]] = lambda: lambda: None, lives: str = "") -> Trial:
    return Trial("Metric", "default", believed, prepare, lives)


@pytest.mark.parametrize(
    ("believed", "seen", "agrees"), [(0, 0, True), (2, 2, True), (2, 4, True), (2, 1, False), (0, 1, False)]
)
def test_facts_know_the_least_number(believed: int, seen: int, agrees: bool) -> None:
    waits = [Wait("a.py", 1, "item", "reads value")] * seen
    result = run(trial(believed), lambda: Told(waits))
    assert result.seen == seen
    assert result.agrees is agrees


@pytest.mark.parametrize(("lives", "agrees"), [("cpu", True), ("cuda", False), ("", True)])
def test_facts_know_where_the_result_is(lives: str, agrees: bool) -> None:
    result = run(trial(0, lambda: lambda: (torch.ones(3), 1), lives), lambda: Told([]))
    assert result.agrees is agrees


def test_what_ran_before_changes_no_trial() -> None:
    """Compiling anything turns the checks of distributions off for the process."""
    distribution = torch.distributions.Distribution
    before = distribution._validate_args
    validates: list[bool] = []
    distribution.set_default_validate_args(False)
    try:
        run(trial(0, lambda: lambda: validates.append(distribution._validate_args)), lambda: Told([]))
    finally:
        distribution.set_default_validate_args(before)
    assert validates == [True]


def test_what_cannot_be_run_is_told() -> None:
    def prepare() -> Callable[[], object]:
        raise ModuleNotFoundError("no module")

    result = run(trial(1, prepare), lambda: Told([]))
    assert list(report({"metrics": [result, Result(trial(1), 0)]})) == [
        "not run   Metric (default): ModuleNotFoundError: no module",
        "differs   Metric (default): believed 1, seen 0",
        "",
        "facts about  tried  agree  explained  differ  not run",
        "metrics      1      0      0          1       1",
    ]


@pytest.mark.parametrize("area", FEWEST)
def test_the_simulated_device_agrees_with_the_facts(area: str) -> None:
    trials = [each for each in all_trials()[area] if area != "TorchMetrics" or each.name in SHOWN]
    with watch_simulated():
        results = [run(each, watch_simulated) for each in trials]
    assert [result for result in results if not result.agrees and not is_explained(result)] == []
    assert counts(results)[0] >= FEWEST[area]


MODULES_AND_SWITCHES = (
    hidden_checks.FUNCTIONS
    | hidden_checks.CALLED
    | hidden_checks.PACKING
    | hidden_checks.UNPACKING
    | hidden_checks.ANOMALY
    | hidden_checks.PARALLEL
    | hidden_checks.NORMS_WITH_COUNTER
    | hidden_checks.SYNCHRONISED_NORMS
    | {"kl_divergence", distributions.SWITCH}
)


def rows() -> dict[str, object]:
    """The rows of the facts about torch's waits, by the names of their trials."""
    found = {f"torch {name}": row for name, row in (torch_ops.ROWS | torch_transfers.ROWS).items()}
    found |= dict.fromkeys(f"index {name}" for name in torch_ops.WRITTEN_THROUGH_INDICES)
    found |= {f"linalg {name}": row for name, row in torch_linalg.ROWS.items()}
    found |= {f"distribution {name}": row for name, row in distributions.FAMILIES.items()}
    found |= {f"nn {cls}.{method}": row for (cls, method), row in torch_optimizers.METHODS.items()}
    found |= dict.fromkeys(f"nn {name}" for name in torch_optimizers.CLIPPING)
    found |= dict.fromkeys(f"nn {name.rpartition('.')[2]}" for name in MODULES_AND_SWITCHES)
    found |= dict.fromkeys(f"attribute {name}" for name in attributes.TENSOR_VIEWS | set(attributes.TENSOR_HOST))
    found |= dict.fromkeys(f"cast {name}" for name in dtypes.CASTS)
    found |= dict.fromkeys(f"class {name}" for name in dtypes.TYPED_CLASSES)
    found |= dict.fromkeys(f"host {name}" for name in host.RESULTS if name.startswith("torch."))
    return found


def test_each_row_has_a_trial_or_a_reason() -> None:
    tried = {each.name for trials in all_trials().values() for each in trials if each.variant != "no call"}
    lacking = {name for name in rows() if name not in tried and not _reason(name)}
    assert lacking == set()


def test_each_function_and_layer_of_other_libraries_has_a_trial() -> None:
    """They are tried where the library is installed."""
    waiting = {name.rpartition(".")[2] for name in torch_geometric.ROWS if name.startswith("torch_geometric.")}
    assert waiting - graphs.OF_EXTENSIONS == graphs.FUNCTIONS.keys()
    others = {name.rpartition(".")[2] for row in library_waits.OTHERS for name in row.names}
    assert others - libraries.NOT_RUN.keys() == {name for each in libraries.LIBRARIES.values() for name in each}
    assert graph_layers.LAYERS.keys() == graphs.LAYERS.keys()


def test_most_signatures_have_a_trial() -> None:
    """The others take arguments that nobody guessed, or have trials of their own."""
    tried = {each.name.removeprefix("signature ") for each in all_trials()["signatures"]}
    assert len(tried & torch_signatures.ROWS.keys()) > 1150


def test_no_reason_outlives_its_row() -> None:
    assert {name for name in NO_TRIAL if not any(row.startswith(name) for row in rows())} == set()
    names = {each.name for trials in all_trials().values() for each in trials}
    assert {pattern for pattern in EXPLAINED if not fnmatch.filter(names, pattern)} == set()


@pytest.mark.parametrize(("version", "is_known"), [("2.6.0+cu124", True), ("2.9.1", True), ("2.10.0", False)])
def test_a_reason_holds_for_some_versions(version: str, is_known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "__version__", version)
    assert bool(reason("signature torch.sum(dim)", "torch.sum(q, dim=one)")) is is_known
    assert not reason("signature torch.sum", "torch.sum(q)")


def _reason(name: str) -> str:
    return next((why for start, why in NO_TRIAL.items() if name.startswith(start)), "")
