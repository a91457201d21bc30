"""TorchMetrics: which metrics make the host wait when updated, why, and which arguments avoid it.

Source: every class of TorchMetrics 1.6.1 and 1.9.0, run on small batches with each argument, its operators logged
(`item`, `nonzero`, `unique`, masks, `bincount`, copies of Python numbers to a device); checks that only CPU tensors
undergo are omitted. The number of waits is for one update; if it depends on the data, it is the minimum. `until`:
`functional/regression/pearson.py` of 1.7.3 and 1.7.4.

Written by hand, because runs of one version show neither why an update waits, nor what would avoid it, nor since when.
That an update waits at all is in `torchmetrics_runs.py`, which is generated: a class that is only there waits too.
"""

from __future__ import annotations

from typing import NamedTuple

from .torchmetrics_runs import RUNS, TORCHMETRICS


class Cause(NamedTuple):
    """Why an update waits: how often, and words that complete the sentence "the metric …"."""

    waits: int
    words: str


class Row(NamedTuple):
    """One kind of metric.

    `update`: it waits on every update, unless one of the constructor's arguments in `spared_by` has the given value
    (`...` for any, or one of a range) or the argument in `needs` is missing. `check`: it waits while `validate_args` is
    true, if `integers` only for integer predictions. `ignore`: it waits if `ignore_index` is given. `parameters` are
    the constructor's first ones; `cheaper` is what to write instead; `until` is the first version that does not wait.
    """

    update: Cause | None = None
    check: Cause | None = None
    ignore: Cause | None = None
    spared_by: tuple[tuple[str, object], ...] = ()
    ignore_spared_by: tuple[tuple[str, object], ...] = ()
    needs: str = ""
    integers: bool = False
    parameters: tuple[str, ...] = ()
    cheaper: str = ""
    until: str = ""


UPDATES = frozenset(("update", "forward", "__call__"))
"""Methods that update a metric."""

NAN_CHECK = "_cast_and_nan_check_input"
"""The function in which an aggregator checks for NaN. Source: TorchMetrics 1.9.0 `aggregation.py`."""

VALIDATIONS = ("_validation", "_check_retrieval_functional_inputs", "_check_retrieval_inputs")
"""How the names of functions end that validate arguments. Source: TorchMetrics 1.9.0 `functional/classification/`."""

MOVES = frozenset(("to", "cuda", "cpu"))
"""Methods that move a metric."""

FOLLOWED = UPDATES | MOVES | frozenset(("compute",))
"""Methods whose calls tell what becomes of a metric."""

AGGREGATORS = {
    "MeanMetric": ("nan_strategy",), "SumMetric": ("nan_strategy",), "MaxMetric": ("nan_strategy",),
    "MinMetric": ("nan_strategy",), "CatMetric": ("nan_strategy",), "RunningMean": ("window", "nan_strategy"),
    "RunningSum": ("window", "nan_strategy"),
}  # fmt: skip
"""Aggregator -> its constructor's parameters. Source: `torchmetrics/aggregation.py`."""

NAN_CHECK_OFF_SINCE = "1.6.2"
"""The first version with `nan_strategy="disable"`, and without the default weight of 1.0. Source: CHANGELOG 1.6.2."""

TASKS = {"binary": "Binary", "multiclass": "Multiclass", "multilabel": "Multilabel"}
"""`task=` of a wrapper such as `Accuracy` -> the prefix of the class it creates."""

FAMILIES = {
    **dict.fromkeys(("Accuracy", "F1Score", "FBetaScore", "HammingDistance", "NegativePredictiveValue", "Precision",
                     "Recall", "Specificity", "StatScores"), "counts"),
    **dict.fromkeys(("ConfusionMatrix", "CohenKappa", "JaccardIndex", "MatthewsCorrCoef"), "confusion"),
    **dict.fromkeys(("AUROC", "AveragePrecision", "EER", "LogAUC", "PrecisionRecallCurve", "ROC",
                     "PrecisionAtFixedRecall", "RecallAtFixedPrecision", "SensitivityAtSpecificity",
                     "SpecificityAtSensitivity"), "curve"),
    "CalibrationError": "calibration", "HingeLoss": "hinge", "ExactMatch": "exact match",
}  # fmt: skip
"""A classification metric's name without its task -> its family."""

WRAPPER_DEFAULTS = {"counts": {"average": "micro"}}
"""The arguments that the `task=` wrappers pass when the classes themselves have another default (`average="macro"`)."""

_BINCOUNT = Cause(2, "counts with `bincount`, which reads the smallest and largest values")
_MASKED_COUNT = Cause(3, "drops entries by a mask and counts with `bincount`")
_UNIQUE = Cause(2, "checks for unexpected values with `unique` and reads the result")
_UNIQUE_ONLY = Cause(1, "checks for unexpected values with `unique`")
_IGNORE = Cause(2, "drops the ignored entries of predictions and target by a mask")
_NUMBER_COPY = Cause(1, "copies a Python number to the device")
_BINARY_TARGET = Cause(2, "reads the target's largest and smallest values")
_MASKS = Cause(2, "selects by boolean masks")

_MANY = range(2, 1 << 16)
_GROUPS = Cause(3, "splits the batch by group with `unique` and `bincount`")
_SEGMENTS = Cause(10, "counts segments with `unique` and reads them to the host")
_MASKS_AND_COPY = "selects by boolean masks and copies a Python number to the device"
_MICRO = 'Use `average="micro"`, which only compares, or accumulate a confusion matrix with `scatter_add_`'
_SCATTER = "Accumulate the confusion matrix with `scatter_add_` on the device, which gives the same result"
_UNBINNED = "Without `thresholds` only `compute()` waits"
_COUNTS = ("average", "multidim_average", "ignore_index", "validate_args")

ROWS: dict[str, Row] = {
    "Binary counts": Row(check=_UNIQUE, parameters=("threshold", *_COUNTS[1:])),
    "Multiclass counts": Row(
        _BINCOUNT, _UNIQUE, _IGNORE,
        spared_by=(("average", "micro"), ("top_k", _MANY), ("multidim_average", "samplewise")),
        ignore_spared_by=(("top_k", _MANY), ("multidim_average", "samplewise")), integers=True,
        parameters=("num_classes", "top_k", *_COUNTS), cheaper=_MICRO,
    ),
    "Multilabel counts": Row(check=_UNIQUE, parameters=("num_labels", "threshold", *_COUNTS)),
    "Binary confusion": Row(_BINCOUNT, _UNIQUE, _IGNORE, parameters=("threshold", "ignore_index"), cheaper=_SCATTER),
    "Multiclass confusion": Row(
        _BINCOUNT, _UNIQUE, _IGNORE, integers=True, parameters=("num_classes",), cheaper=_SCATTER
    ),
    "Multilabel confusion": Row(_MASKED_COUNT, _UNIQUE, parameters=("num_labels",), cheaper=_SCATTER),
    "Binary curve": Row(_BINCOUNT, _UNIQUE, _IGNORE, needs="thresholds", cheaper=_UNBINNED),
    "Multiclass curve": Row(
        _BINCOUNT, _UNIQUE_ONLY, _IGNORE, needs="thresholds", parameters=("num_classes",), cheaper=_UNBINNED
    ),
    "Multilabel curve": Row(
        _MASKED_COUNT, _UNIQUE, needs="thresholds", parameters=("num_labels",), cheaper=_UNBINNED
    ),
    "Binary calibration": Row(check=_UNIQUE, ignore=_IGNORE),
    "Multiclass calibration": Row(ignore=_IGNORE, parameters=("num_classes",)),
    "Binary hinge": Row(Cause(5, _MASKS_AND_COPY), _UNIQUE, _IGNORE),
    "Multiclass hinge": Row(Cause(3, _MASKS_AND_COPY), ignore=_IGNORE, parameters=("num_classes",)),
    "Multiclass exact match": Row(_NUMBER_COPY, _UNIQUE, integers=True, parameters=("num_classes",)),
    "Multilabel exact match": Row(_NUMBER_COPY, _UNIQUE, parameters=("num_labels",)),
    "MultilabelCoverageError": Row(
        Cause(1, "writes a tensor through a boolean mask"), _UNIQUE, parameters=("num_labels",)
    ),
    "MultilabelRankingLoss": Row(Cause(3, "selects by boolean masks"), _UNIQUE, parameters=("num_labels",)),
    "MultilabelRankingAveragePrecision": Row(
        Cause(3, "ranks each sample separately, with `unique` and masks"), _UNIQUE, parameters=("num_labels",),
    ),
    "BinaryFairness": Row(_GROUPS, _UNIQUE, parameters=("num_groups",)),
    "BinaryGroupStatRates": Row(_GROUPS, _UNIQUE, parameters=("num_groups",)),
    "TweedieDevianceScore": Row(_NUMBER_COPY),
    "RootMeanSquaredErrorUsingSlidingWindow": Row(Cause(4, "copies CPU tensors to the device")),
    "SpatialCorrelationCoefficient": Row(Cause(1, "copies a CPU tensor to the device")),
    "LogCoshError": Row(_NUMBER_COPY),
    "PearsonCorrCoef": Row(Cause(1, "reads the number of values it has seen"), until="1.7.4"),
    "ConcordanceCorrCoef": Row(Cause(1, "reads the number of values it has seen"), until="1.7.4"),
    "PeakSignalNoiseRatio": Row(_NUMBER_COPY),
    "StructuralSimilarityIndexMeasure": Row(
        Cause(1, "reads the range of the data because `data_range` is not given"), spared_by=(("data_range", ...),),
        cheaper="Pass `data_range`",
    ),
    "MultiScaleStructuralSimilarityIndexMeasure": Row(Cause(1, "copies the scales' weights to the device")),
    "VisualInformationFidelity": Row(Cause(6, "selects and writes through boolean masks")),
    "Perplexity": Row(Cause(1, "selects the relevant tokens by a boolean mask")),
    "CramersV": Row(_BINCOUNT, parameters=("num_classes",)),
    "TschuprowsT": Row(_BINCOUNT, parameters=("num_classes",)),
    "PearsonsContingencyCoefficient": Row(_BINCOUNT, parameters=("num_classes",)),
    "TheilsU": Row(_BINCOUNT, parameters=("num_classes",)),
    "GeneralizedDiceScore": Row(_MASKS, parameters=("num_classes",)),
    "HausdorffDistance": Row(
        Cause(10, "finds edges with `nonzero` for each sample and class"), parameters=("num_classes",)
    ),
    "SignalDistortionRatio": Row(Cause(1, "solves a linear system, which checks for errors on the host")),
    "PanopticQuality": Row(_SEGMENTS),
    "ModifiedPanopticQuality": Row(_SEGMENTS),
    "BootStrapper": Row(Cause(2, "repeats the samples by random counts, whose sum it reads")),
    "MultioutputWrapper": Row(_MASKS, spared_by=(("remove_nans", False),), cheaper="Pass `remove_nans=False`"),
    "RetrievalNormalizedDCG": Row(ignore=Cause(3, "drops the ignored entries by a mask")),
    **dict.fromkeys(
        ("RetrievalAUROC", "RetrievalFallOut", "RetrievalHitRate", "RetrievalMAP", "RetrievalMRR", "RetrievalPrecision",
         "RetrievalPrecisionRecallCurve", "RetrievalRPrecision", "RetrievalRecall", "RetrievalRecallAtFixedPrecision"),
        Row(_BINARY_TARGET, ignore=Cause(3, "drops the ignored entries by a mask")),
    ),
}  # fmt: skip
"""Class, or task and family -> its row. A metric without a row waits when updated only if the runs show it."""

NEVER_CHECKED = frozenset(("BinaryAUROC",))
"""Classes of a family that inspect no values whatever `validate_args` is: they pass `False` on."""

UNCHECKED_BY_DEFAULT = frozenset(("BinaryLogAUC",))
"""Classes whose `validate_args` is false by default."""


def family_of(name: str, task: str = "") -> str | None:
    """Return the key of a class's row: of `MulticlassRecall`, or of `Recall` with `task="multiclass"`."""
    for prefix in TASKS.values():
        if name.startswith(prefix) and (family := FAMILIES.get(name.removeprefix(prefix))):
            return f"{prefix} {family}"
    if name in FAMILIES and task in TASKS:
        return f"{TASKS[task]} {FAMILIES[name]}"
    return name if name in ROWS else None


def row_of(name: str, task: str = "") -> Row | None:
    """Return what is known about a metric class; `task` is the argument of a wrapper such as `Accuracy`."""
    key = family_of(name, task)
    row = ROWS.get(key) if key else _seen_row(name)
    full = name if name not in FAMILIES else TASKS.get(task, "") + name
    return row._replace(check=None) if row is not None and full in NEVER_CHECKED else row


def _seen_row(name: str) -> Row | None:
    """Return what the runs alone show about a class: that it waits with its default arguments."""
    waits = RUNS.get(name, {}).get("default", 0)
    if name in AGGREGATORS or not waits:
        return None
    return Row(Cause(waits, f"reads or copies values on every update, as a run of TorchMetrics {TORCHMETRICS} showed"))


def parameters_of(name: str) -> tuple[str, ...]:
    """Return the names of a constructor's first parameters, in order, as far as they matter."""
    if name in FAMILIES:
        return ("task",)
    row = row_of(name)
    names = AGGREGATORS.get(name) or (row.parameters if row else ())
    return ("beta", *names) if name.endswith("FBetaScore") else names


def wrapper_default(name: str, parameter: str) -> str | None:
    """Return what a `task=` wrapper passes for a parameter whose default differs in its class."""
    return WRAPPER_DEFAULTS.get(FAMILIES.get(name, ""), {}).get(parameter)
