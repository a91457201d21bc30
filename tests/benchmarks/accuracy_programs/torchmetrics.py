"""Each class of TorchMetrics on the device with its default arguments: update and compute."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from typing import Any, Final

import torch
from synclint.runtime_checker.trials.metrics import ARGUMENTS, inputs_of

from .arguments import UnfitError
from .program import Program, Step

AREAS: Final = (
    "aggregation", "audio", "classification", "clustering", "detection", "image", "multimodal", "nominal", "regression",
    "retrieval", "segmentation", "shape", "text", "video", "wrappers",
)  # fmt: skip
SENTENCES: Final = (["the cat is on the mat", "a dog"], [["there is a cat on the mat"], ["one dog"]])


def programs() -> Iterator[Program]:
    """All metrics."""
    for area in AREAS:
        module = importlib.import_module(f"torchmetrics.{area}")
        for name in sorted(getattr(module, "__all__", ())):
            kind = getattr(module, name)
            if inspect.isclass(kind):
                yield Program(f"{area}.{name}", lambda area=area, kind=kind: _step(area, kind))


def _step(area: str, kind: Any) -> Step:
    """The first inputs that the metric takes. Raises UnfitError."""
    refusal: Exception = UnfitError("no inputs")
    for inputs in _candidates(area, kind.__name__):
        try:
            metric = kind(**_needed(kind)).to("cuda")
            given = inputs[: len(inspect.signature(metric.update).parameters)]
            metric.update(*given)
        except Exception as error:
            refusal = error
        else:
            return lambda: (metric.update(*given), metric.compute())
    raise refusal


def _needed(kind: Any) -> dict[str, Any]:
    """The values of what has no default."""
    wanted = inspect.signature(kind.__init__).parameters.items()
    empty = inspect.Parameter.empty
    return {key: ARGUMENTS[key] for key, each in wanted if key in ARGUMENTS and each.default in (empty, None)}


def _candidates(area: str, name: str) -> Iterator[tuple[Any, ...]]:
    """Inputs that metrics of an area may take."""
    if area == "text":
        yield SENTENCES
        yield SENTENCES[0], [each[0] for each in SENTENCES[1]]
        yield torch.rand(2, 5, 8, device="cuda").softmax(-1), torch.randint(8, (2, 5), device="cuda")
    elif area == "detection":
        boxes = torch.tensor([[1.0, 1.0, 5.0, 5.0], [2.0, 2.0, 9.0, 9.0]]).cuda()
        target = {"boxes": boxes, "labels": torch.zeros(2, dtype=torch.long, device="cuda")}
        yield [{**target, "scores": torch.rand(2, device="cuda")}], [target]
        panoptic = torch.zeros(1, 8, 8, 2, dtype=torch.long, device="cuda")
        yield panoptic, panoptic.clone()
    else:
        yield inputs_of(area, name, whole=False)
        yield inputs_of(area, name, whole=True)
        for shape in ((16, 4), (2, 3, 192, 192), (2, 2, 1000), (2, 10, 3), (2, 3, 8, 64, 64)):
            yield torch.rand(shape, device="cuda"), torch.rand(shape, device="cuda")
