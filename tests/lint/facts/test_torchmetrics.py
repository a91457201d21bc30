"""The table of metrics says what the installed TorchMetrics does: each class is run and its operators are counted."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from synclint.lint.facts import torchmetrics as facts
from synclint.lint.settings.versions import Versions, allowed

torch = pytest.importorskip("torch")
torchmetrics = pytest.importorskip("torchmetrics")
classification = pytest.importorskip("torchmetrics.classification")

from torch.overrides import TorchFunctionMode  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

INSTALLED = Versions({"torchmetrics": allowed(torchmetrics.__version__)})
Inputs = Callable[[], tuple[Any, ...]]

COUNTED = {"_local_scalar_dense": 1, "nonzero": 1, "masked_select": 1, "_unique2": 1, "unique_dim": 1, "bincount": 2,
           "unique_consecutive": 1, "_linalg_check_errors": 1}  # fmt: skip
CPU_ONLY = frozenset(("normalize_logits_if_needed",))
"""Functions of TorchMetrics whose reads only tensors of the host meet."""


class Waits(TorchDispatchMode):  # type: ignore[misc]
    """Counts the operators that would wait if their tensors lived on the GPU."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.is_paused = False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func._schema.name.partition("::")[2]
        if not self.is_paused and not _on_the_host_only():
            self.count += COUNTED.get(name, 0) + _masks(name, args)
        return func(*args, **(kwargs or {}))


class Copies(TorchFunctionMode):  # type: ignore[misc]
    """Counts Python numbers that are made tensors of a named device; `one_hot` checks its values on the host only."""

    def __init__(self, waits: Waits) -> None:
        super().__init__()
        self.waits = waits

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if (
            name in ("tensor", "as_tensor")
            and kwargs.get("device") is not None
            and not isinstance(args[0], torch.Tensor)
        ):
            self.waits.count += 1
        self.waits.is_paused = name == "one_hot"
        result = func(*args, **kwargs)
        self.waits.is_paused = False
        return result


def _masks(name: str, args: Any) -> int:
    """Masks that select, or that write more than a number."""
    if name not in ("index", "index_put", "index_put_"):
        return 0
    masks = [each for each in args[1] if each is not None and each.dtype in (torch.bool, torch.uint8)]
    return 0 if not masks or (name != "index" and args[2].numel() == 1) else 1


def _on_the_host_only() -> bool:
    frame = sys._getframe(1)
    while frame.f_back is not None:
        if frame.f_code.co_name in CPU_ONLY:
            return True
        frame = frame.f_back
    return False


def waits_of(cls: Any, arguments: dict[str, Any], inputs: Inputs) -> int:
    """How often the second update of such a metric would wait."""
    metric = cls(**arguments)
    metric.update(*inputs())
    waits = Waits()
    with waits, Copies(waits):
        metric.update(*inputs())
    return waits.count


def scores(*shape: int) -> Any:
    return torch.rand(*shape).softmax(dim=1) if len(shape) > 1 else torch.rand(*shape)


def whole(high: int, *shape: int) -> Any:
    return torch.randint(high, shape)


INPUTS: dict[str, Inputs] = {
    "Binary": lambda: (scores(16), whole(2, 16)),
    "Multiclass": lambda: (scores(16, 5), whole(5, 16)),
    "Multilabel": lambda: (torch.rand(16, 5), whole(2, 16, 5)),
}
WHOLE: dict[str, Inputs] = {
    "Binary": lambda: (whole(2, 16), whole(2, 16)),
    "Multiclass": lambda: (whole(5, 16), whole(5, 16)),
    "Multilabel": lambda: (whole(2, 16, 5), whole(2, 16, 5)),
}
NEEDED = {"Binary": {}, "Multiclass": {"num_classes": 5}, "Multilabel": {"num_labels": 5}}
OTHERS = {"FBetaScore": {"beta": 1.0}, "RecallAtFixedPrecision": {"min_precision": 0.5},
          "PrecisionAtFixedRecall": {"min_recall": 0.5}, "SensitivityAtSpecificity": {"min_specificity": 0.5},
          "SpecificityAtSensitivity": {"min_sensitivity": 0.5}}  # fmt: skip
GROUPED: Inputs = lambda: (scores(16), whole(2, 16), torch.arange(16) % 2)  # noqa: E731
VARIANTS: tuple[dict[str, Any], ...] = (
    {}, {"validate_args": True}, {"ignore_index": 0}, {"average": "micro"}, {"average": "micro", "ignore_index": 0},
    {"average": "weighted"}, {"top_k": 2}, {"top_k": 2, "ignore_index": 0}, {"thresholds": 20},
    {"thresholds": 20, "ignore_index": 0}, {"thresholds": 20, "validate_args": True},
)  # fmt: skip


def classes() -> Iterator[tuple[str, str]]:
    for name in sorted(classification.__all__):
        task = next((task for task in NEEDED if name.startswith(task)), None)
        if task is not None:
            yield name, task


def takes(cls: Any, arguments: dict[str, Any]) -> bool:
    return set(arguments) <= set(inspect.signature(cls.__init__).parameters)


def expected(row: facts.Row | None, arguments: dict[str, Any], integers: bool) -> int:
    """What the table says of an update with these arguments."""
    if row is None or not INSTALLED.may_be("torchmetrics", until=row.until):
        return 0
    spared = any(name in arguments and _is(arguments[name], value) for name, value in row.spared_by)
    kept = any(name in arguments and _is(arguments[name], value) for name, value in row.ignore_spared_by)
    found = row.update.waits if row.update and not spared and (not row.needs or row.needs in arguments) else 0
    if row.ignore and "ignore_index" in arguments and not kept:
        found += row.ignore.waits
    if row.check and arguments.get("validate_args", True) and (integers or not row.integers):
        found += row.check.waits
    return found


def _is(argument: Any, wanted: Any) -> bool:
    return wanted is ... or (argument in wanted if isinstance(wanted, range) else argument == wanted)


UNSEEN = {"MultilabelCoverageError": 1}
"""Waits that no run on the CPU shows: a 0-dim tensor written through a mask looks like a number there."""


def agree(found: int, said: int) -> bool:
    """The table says whether an update waits, and at least how often."""
    return bool(found) == bool(said) and found >= said


@pytest.mark.parametrize(("name", "task"), list(classes()))
def test_classification(name: str, task: str) -> None:
    cls = getattr(classification, name)
    needed = NEEDED[task] | next((given for end, given in OTHERS.items() if name.endswith(end)), {})
    inputs = GROUPED if "Fair" in name or "Group" in name else INPUTS[task]
    if inputs is GROUPED:
        needed = {"num_groups": 2}
    integers = name == "MulticlassExactMatch"
    if integers:
        inputs = lambda: (whole(5, 16, 3), whole(5, 16, 3))  # noqa: E731
    for variant in VARIANTS:
        arguments = {"validate_args": False, **variant}
        if not takes(cls, variant):
            continue
        found = waits_of(cls, {**needed, **arguments}, inputs) + UNSEEN.get(name, 0)
        assert agree(found, expected(facts.row_of(name), arguments, integers)), (variant, found)


@pytest.mark.parametrize(
    "name", ["BinaryAccuracy", "MulticlassRecall", "MultilabelF1Score", "MulticlassConfusionMatrix"]
)
def test_whole_numbers_are_checked_as_well(name: str) -> None:
    task = next(task for task in NEEDED if name.startswith(task))
    found = waits_of(getattr(classification, name), NEEDED[task], WHOLE[task])
    assert agree(found, expected(facts.row_of(name), {}, True))


@pytest.mark.parametrize("name", sorted(facts.FAMILIES))
def test_wrappers_pass_the_defaults_the_table_names(name: str) -> None:
    wrapper = getattr(torchmetrics, name, getattr(classification, name, None))
    if wrapper is None:
        pytest.skip("not in this version")
    parameters = inspect.signature(wrapper.__new__).parameters
    assert next(iter(parameters)) == "cls"
    assert list(parameters)[1] == "task"
    default = facts.wrapper_default(name, "average")
    assert default is None or parameters["average"].default == default


@pytest.mark.parametrize("name", sorted(facts.AGGREGATORS))
@pytest.mark.parametrize("strategy", ["warn", "error", "ignore", 0.0])
def test_aggregators(name: str, strategy: str | float) -> None:
    cls = getattr(torchmetrics.aggregation, name)
    assert waits_of(cls, {"nan_strategy": strategy}, lambda: (scores(16),)) >= 2
    assert (
        tuple(inspect.signature(cls.__init__).parameters)[1:][: len(facts.AGGREGATORS[name])] == facts.AGGREGATORS[name]
    )


def test_aggregators_without_the_check() -> None:
    pytest.importorskip("torchmetrics", minversion=facts.NAN_CHECK_OFF_SINCE)
    for name in facts.AGGREGATORS:
        cls = getattr(torchmetrics.aggregation, name)
        assert waits_of(cls, {"nan_strategy": "disable"}, lambda: (scores(16),)) == 0


def pair() -> tuple[Any, ...]:
    return torch.rand(16) + 0.1, torch.rand(16) + 0.1


def images(size: int = 48) -> tuple[Any, ...]:
    return torch.rand(2, 3, size, size), torch.rand(2, 3, size, size)


def ranked() -> tuple[Any, ...]:
    return torch.rand(16), whole(2, 16), torch.arange(16) // 4


def classes_of_samples() -> tuple[Any, ...]:
    return whole(3, 64), whole(3, 64)


def segments() -> tuple[Any, ...]:
    return whole(2, 4, 3, 16, 16), whole(2, 4, 3, 16, 16)


def panoptic() -> tuple[Any, ...]:
    return whole(3, 1, 8, 8, 2), whole(3, 1, 8, 8, 2)


THREE = {"num_classes": 3}
CASES: list[tuple[str, dict[str, Any], Inputs]] = [
    *((f"regression.{name}", {}, pair) for name in (
        "MeanSquaredError", "MeanAbsoluteError", "R2Score", "PearsonCorrCoef", "ConcordanceCorrCoef",
        "SpearmanCorrCoef", "KendallRankCorrCoef", "ExplainedVariance", "MeanAbsolutePercentageError", "LogCoshError",
        "TweedieDevianceScore", "RelativeSquaredError",
    )),
    *((f"retrieval.{name}", given, ranked) for given in ({}, {"ignore_index": -1}) for name in (
        "RetrievalAUROC", "RetrievalFallOut", "RetrievalHitRate", "RetrievalMAP", "RetrievalMRR", "RetrievalPrecision",
        "RetrievalPrecisionRecallCurve", "RetrievalRPrecision", "RetrievalRecall", "RetrievalRecallAtFixedPrecision",
        "RetrievalNormalizedDCG",
    )),
    ("image.PeakSignalNoiseRatio", {"data_range": 1.0}, images),
    ("image.StructuralSimilarityIndexMeasure", {}, images),
    ("image.StructuralSimilarityIndexMeasure", {"data_range": 1.0}, images),
    ("image.MultiScaleStructuralSimilarityIndexMeasure", {"data_range": 1.0}, lambda: images(192)),
    ("image.VisualInformationFidelity", {}, images),
    ("image.UniversalImageQualityIndex", {}, images),
    ("text.Perplexity", {}, lambda: (scores(2, 8, 5), whole(5, 2, 8))),
    *((f"nominal.{name}", THREE, classes_of_samples) for name in (
        "CramersV", "TschuprowsT", "PearsonsContingencyCoefficient", "TheilsU",
    )),
    ("clustering.MutualInfoScore", {}, classes_of_samples),
    ("segmentation.GeneralizedDiceScore", THREE, segments),
    ("segmentation.HausdorffDistance", THREE, segments),
    ("segmentation.MeanIoU", THREE, segments),
    ("segmentation.MeanIoU", THREE | {"input_format": "index"}, lambda: (whole(3, 4, 16, 16), whole(3, 4, 16, 16))),
    ("audio.SignalDistortionRatio", {}, lambda: (torch.randn(2, 2000), torch.randn(2, 2000))),
    ("audio.SignalNoiseRatio", {}, lambda: (torch.randn(2, 2000), torch.randn(2, 2000))),
    *((f"detection.{name}", {"things": {0, 1}, "stuffs": {2}}, panoptic) for name in (
        "PanopticQuality", "ModifiedPanopticQuality",
    )),
]  # fmt: skip


@pytest.mark.parametrize(("path", "arguments", "inputs"), CASES, ids=lambda each: each if isinstance(each, str) else "")
@pytest.mark.filterwarnings("ignore")
def test_others(path: str, arguments: dict[str, Any], inputs: Inputs) -> None:
    area, _, name = path.partition(".")
    module = pytest.importorskip(f"torchmetrics.{area}")
    if not hasattr(module, name):
        pytest.skip("not in this version, or a library it needs is missing")
    torch.manual_seed(0)
    found = waits_of(getattr(module, name), arguments, inputs)
    assert agree(found, expected(facts.row_of(name), arguments, False)), found


def test_wrappers_of_metrics() -> None:
    base = classification.BinaryAccuracy(validate_args=False)
    strapped = {"base_metric": base, "num_bootstraps": 2}
    assert waits_of(torchmetrics.wrappers.BootStrapper, strapped, INPUTS["Binary"]) >= 2
    many = {"base_metric": torchmetrics.regression.R2Score(), "num_outputs": 2}
    assert waits_of(torchmetrics.wrappers.MultioutputWrapper, many, lambda: (torch.rand(16, 2), torch.rand(16, 2))) >= 2


@pytest.mark.parametrize(
    ("name", "task", "key"),
    [
        ("MulticlassAccuracy", "", "Multiclass counts"),
        ("Accuracy", "multiclass", "Multiclass counts"),
        ("Accuracy", "binary", "Binary counts"),
        ("Accuracy", "", None),
        ("AUROC", "multilabel", "Multilabel curve"),
        ("MultilabelRankingLoss", "", "MultilabelRankingLoss"),
        ("MeanSquaredError", "", None),
    ],
)
def test_families(name: str, task: str, key: str | None) -> None:
    assert facts.family_of(name, task) == key


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("Accuracy", ("task",)),
        (
            "MulticlassFBetaScore",
            ("beta", "num_classes", "top_k", "average", "multidim_average", "ignore_index", "validate_args"),
        ),
        ("RunningMean", ("window", "nan_strategy")),
        ("MeanSquaredError", ()),
    ],
)
def test_parameters(name: str, parameters: tuple[str, ...]) -> None:
    assert facts.parameters_of(name) == parameters


@pytest.mark.parametrize("name", [name for name, _ in classes()])
def test_parameters_stand_in_the_order_of_the_constructor(name: str) -> None:
    known = facts.parameters_of(name)
    assert tuple(inspect.signature(getattr(classification, name).__init__).parameters)[1:][: len(known)] == known
