"""Trials of each TorchMetrics metric that runs on plain tensors: defaults, no validation, ignored index, integers."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from typing import Any, Final

from ...lint.facts import torchmetrics as facts
from .trial import Trial

ARGUMENTS: Final[Mapping[str, Any]] = {
    "num_classes": 4,
    "num_labels": 3,
    "num_groups": 2,
    "beta": 1.0,
    "min_recall": 0.5,
    "min_precision": 0.5,
    "min_sensitivity": 0.5,
    "min_specificity": 0.5,
    "window": 3,
    "power": 1.5,
    "p": 2.0,
    "ratio": 4,
    "threshold": 0.5,
    "fs": 8000,
    "data_range": 1.0,
}
"""Required arguments of constructors."""
AREAS: Final = ("classification", "regression", "retrieval", "nominal", "clustering", "segmentation", "image", "audio")


def metric_trials() -> Iterator[Trial]:
    """Yield the trials of all classes; none without TorchMetrics."""
    try:
        import torchmetrics
    except ImportError:
        return
    for name in facts.AGGREGATORS:
        yield from _aggregator(name, getattr(torchmetrics, name))
    for area in AREAS:
        module = importlib.import_module(f"torchmetrics.{area}")
        for name in sorted(module.__all__):
            kind = getattr(module, name)
            if inspect.isclass(kind) and name not in facts.FAMILIES:
                yield from _variants(area, name, kind)


def _aggregator(name: str, kind: Any) -> Iterator[Trial]:
    import torch

    def given(*weights: Any, **options: Any) -> Callable[[], Callable[[], object]]:
        return lambda: _update(kind, options, (torch.rand(4, device="cuda"), *(make() for make in weights)))

    yield Trial(name, "default", 2, given())
    yield Trial(name, "nan_strategy='ignore'", 2, given(nan_strategy="ignore"))
    yield Trial(name, "nan_strategy=0.0", 2, given(nan_strategy=0.0))
    yield Trial(name, "nan_strategy='disable'", 0, given(nan_strategy="disable"))
    if name == "MeanMetric":
        yield Trial(name, "weight of the device", 2, given(lambda: torch.rand(4, device="cuda")))
        yield Trial(name, "weight of Python", 3, given(lambda: 0.5))


def _update(kind: Any, options: Mapping[str, Any], inputs: tuple[Any, ...]) -> Callable[[], object]:
    """Return a trial with a metric on the device whose second update is watched."""
    wanted = inspect.signature(kind.__init__).parameters
    needed = {
        key: ARGUMENTS[key]
        for key, parameter in wanted.items()
        if key in ARGUMENTS and (parameter.default is inspect.Parameter.empty or key == "num_classes")
    }
    metric = kind(**{**needed, **options}).to("cuda")
    inputs = inputs[: len(inspect.signature(kind.update).parameters) - 1]
    metric.update(*inputs)
    return lambda: metric.update(*inputs)


def _variants(area: str, name: str, kind: Any) -> Iterator[Trial]:
    """Yield one trial for each combination of arguments that may matter and that the class accepts."""
    parameters = set(inspect.signature(kind.__init__).parameters)
    family = facts.family_of(name) or ""
    curve = family.endswith(" curve")
    for unchecked in (False, True) if "validate_args" in parameters or area == "classification" else (False,):
        for ignored in (False, True) if "ignore_index" in parameters and area in _IGNORING else (False,):
            for whole in (False, True) if area == "classification" and _takes_whole_numbers(name) else (False,):
                for binned in (False, True) if curve else (False,):
                    options: dict[str, Any] = {"validate_args": False} if unchecked else {}
                    options |= {"ignore_index": 0} if ignored else {}
                    options |= {"thresholds": 20} if binned else {}
                    yield _trial(area, name, kind, options, whole)


def _takes_whole_numbers(name: str) -> bool:
    refusing = ("Calibration", "Hinge", "Ranking", "Coverage")
    return not (facts.family_of(name) or "").endswith(" curve") and not any(word in name for word in refusing)


def _trial(area: str, name: str, kind: Any, options: dict[str, Any], whole: bool) -> Trial:
    words = [f"{key}={value!r}" for key, value in options.items()] + (["whole numbers"] if whole else [])
    believed = _believed(name, options, whole)
    return Trial(
        name, ", ".join(words) or "default", believed, lambda: _update(kind, options, inputs_of(area, name, whole))
    )


def _believed(name: str, options: Mapping[str, Any], whole: bool) -> int:
    """Return the waits of one update according to the facts."""
    row = facts.row_of(name)
    if row is None or (row.until and _numbers(version("torchmetrics")) >= _numbers(row.until)):
        return 0
    waits = 0
    if row.update and not (row.needs and row.needs not in options) and not _spared(row.spared_by, options):
        waits += row.update.waits
    checks = options.get("validate_args", name not in facts.UNCHECKED_BY_DEFAULT)
    if row.check and checks and (whole or not row.integers):
        waits += row.check.waits
    if row.ignore and "ignore_index" in options and not _spared(row.ignore_spared_by, options):
        waits += row.ignore.waits
    return waits


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())


def _spared(spared_by: tuple[tuple[str, object], ...], options: Mapping[str, Any]) -> bool:
    return any(key in options and value in (..., options[key]) for key, value in spared_by)


def inputs_of(area: str, name: str, whole: bool) -> tuple[Any, ...]:
    """Return predictions and target of a small batch, on the device."""
    import torch

    torch.manual_seed(0)
    if area == "classification":
        return _labels(name, whole)
    if area == "retrieval":
        queries = torch.arange(16, device="cuda") // 4
        return torch.rand(16, device="cuda"), torch.arange(16, device="cuda") % 2, queries
    if area in ("nominal", "clustering"):
        first = torch.rand(16, 3, device="cuda") if name in _DATA_CLUSTERING else torch.arange(16, device="cuda") % 4
        return first, torch.arange(16, device="cuda") // 4
    if area == "segmentation":
        return torch.randint(2, (2, 4, 8, 8), device="cuda"), torch.randint(2, (2, 4, 8, 8), device="cuda")
    if name in _DISTRIBUTIONS:
        return torch.rand(16, 4, device="cuda").softmax(1), torch.rand(16, 4, device="cuda").softmax(1)
    shape = {"image": (2, 3, 192, 192), "audio": (2, 1000)}.get(area, (16,))
    return torch.rand(shape, device="cuda") + 0.1, torch.rand(shape, device="cuda") + 0.1


_IGNORING: Final = ("classification", "retrieval")
"""Areas whose `ignore_index` works for a small batch of two classes."""
_DISTRIBUTIONS: Final = ("CosineSimilarity", "JensenShannonDivergence", "KLDivergence")
_DATA_CLUSTERING: Final = ("CalinskiHarabaszScore", "DaviesBouldinScore", "DunnIndex")


def _labels(name: str, whole: bool) -> tuple[Any, ...]:
    import torch

    if name.startswith("Binary"):
        target = torch.arange(16, device="cuda") % 2
        preds = target.flip(0) if whole else torch.rand(16, device="cuda")
        groups = (torch.arange(16, device="cuda") // 8,) if "Fairness" in name or "Group" in name else ()
        return (preds, target, *groups)
    if name.startswith("Multilabel"):
        target = torch.randint(2, (16, 3), device="cuda")
        return (target.flip(0) if whole else torch.rand(16, 3, device="cuda")), target
    extra = (5,) if "ExactMatch" in name else ()
    target = torch.randint(4, (16, *extra), device="cuda")
    return (target.flip(0) if whole else torch.rand(16, 4, *extra, device="cuda").softmax(1)), target
