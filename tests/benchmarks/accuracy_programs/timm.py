"""The losses, optimizers, layers and utilities of timm, and one small model of each of its families."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

import torch

from .arguments import Maker, Pool, UnfitError, call
from .program import Program, Step, backward, modules_of, step_of


class _Nothing(type):
    """Classes that have any attribute: it is another such class."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing(name, (), {})


class _StandIn(ModuleType):
    """A module of torchvision, which timm imports for its data and does not use otherwise."""

    __path__: list[str] = []  # noqa: RUF012

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing(name, (), {})


class _StandIns:
    """Finds all modules of torchvision."""

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name.split(".")[0] == "torchvision" else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to execute."""


if importlib.util.find_spec("torchvision") is None:
    sys.meta_path.append(_StandIns())  # type: ignore[arg-type]


def _random(*shape: int) -> Maker:
    return lambda: torch.rand(shape, device="cuda")


IMAGES: Final = [_random(2, 8, 16, 16), _random(2, 16, 8), _random(2, 3, 32, 32), _random(2, 16, 16, 8), _random(2, 8)]
INPUTS: Final = Pool(
    {
        r"x|input|q|hidden_states": IMAGES,
        r"target": [
            lambda: torch.tensor([1, 3]).cuda(),
            _random(2, 8),
            lambda: torch.rand(2, 8, device="cuda").round(),
        ],
    },
    IMAGES,
)
OPTIONS: Final = Pool(
    {
        r"\w*channels|\w*chs|\w*dim|\w*features|channels|num_features|dim\w*|embed_dim|width": [lambda: 8],
        r"num_heads|heads|groups|num_groups|\w*ratio": [lambda: 2],
        r"feat_size|img_size|size|window_size|input_size|grid_size": [lambda: (16, 16), lambda: 4],
        r"kernel_size|patch_size": [lambda: 3],
    },
    [],
)
NAMED_SMALL: Final = re.compile(r"test|atto|femto|pico|nano|xxs|xxt|tiny|mini|small|_xs|_s|18|10|b0|050|035")
LARGEST: Final = 12_000_000
"""Parameters of the largest model that is run."""


def programs() -> Iterator[Program]:
    """All of them."""
    timm = importlib.import_module("timm")
    for area in ("loss", "layers"):
        yield from modules_of(importlib.import_module(f"timm.{area}"), OPTIONS, INPUTS)
    optim = importlib.import_module("timm.optim")
    for name in optim.list_optimizers():
        yield Program(f"timm.optim {name}", lambda name=name: _optimizer(optim, name))
    yield from _utilities()
    for family in timm.list_modules():
        yield Program(f"timm.models.{family}", lambda family=family: _model(timm, family))


def _optimizer(optim: Any, name: str) -> Step:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.Flatten(), torch.nn.Linear(8 * 36, 4)).to("cuda")
    optimizer = optim.create_optimizer_v2(model, opt=name, lr=0.01, weight_decay=0.01)
    images = torch.rand(2, 3, 8, 8, device="cuda")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = model(images).square().mean()
        loss.backward()
        return loss

    def step() -> None:
        closure()
        try:
            optimizer.step()
        except TypeError:
            optimizer.step(closure)

    return step


def _utilities() -> Iterator[Program]:
    """What training scripts take from timm."""
    for mode in ("norm", "value", "agc"):
        yield Program(f"dispatch_clip_grad {mode}", lambda mode=mode: _clipped(mode))
    for name in ("ModelEma", "ModelEmaV2", "ModelEmaV3"):
        yield Program(name, lambda name=name: _average(name))
    yield Program("accuracy", _accuracy)
    yield Program("Mixup", lambda: _mixup("batch"))
    yield Program("Mixup elem", lambda: _mixup("elem"))
    yield Program("RandomErasing", _erasing)


def _model(timm: Any, family: str) -> Step:
    """The first of the family whose name says that it is small, and that is."""
    names = timm.list_models(module=family)
    for name in sorted(names, key=lambda name: (not NAMED_SMALL.search(name), len(name)))[:4]:
        with torch.device("meta"):
            size = sum(each.numel() for each in timm.create_model(name).parameters())
        if size <= LARGEST:
            model = timm.create_model(name, num_classes=4).to("cuda")
            wanted = model.default_cfg.get("input_size", (3, 224, 224))
            return step_of(
                model, {next(iter(inspect.signature(model.forward).parameters)): torch.rand(1, *wanted, device="cuda")}
            )
    raise UnfitError("there is no small model")


def _linear() -> torch.nn.Module:
    return torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.BatchNorm1d(8)).to("cuda")


def _clipped(mode: str) -> Step:
    utils, model = importlib.import_module("timm.utils"), _linear()

    def step() -> None:
        backward(model(torch.rand(4, 8, device="cuda")))
        utils.dispatch_clip_grad(model.parameters(), 0.01, mode=mode)

    return step


def _average(name: str) -> Step:
    model = _linear()
    average = getattr(importlib.import_module("timm.utils"), name)(model)
    return lambda: average.update(model)


def _accuracy() -> Step:
    utils: Any = importlib.import_module("timm.utils")
    meter, output, target = utils.AverageMeter(), torch.rand(4, 8, device="cuda"), torch.randint(8, (4,), device="cuda")

    def step() -> None:
        first, _ = utils.accuracy(output, target, topk=(1, 5))
        meter.update(first.item(), 4)

    return step


def _mixup(mode: str) -> Step:
    kind: Callable[..., Any] = importlib.import_module("timm.data.mixup").Mixup
    mixup = kind(mixup_alpha=0.5, cutmix_alpha=0.5, num_classes=8, mode=mode)
    images, target = torch.rand(4, 3, 16, 16, device="cuda"), torch.randint(8, (4,), device="cuda")
    return lambda: mixup(images, target)


def _erasing() -> Step:
    kind = importlib.import_module("timm.data.random_erasing").RandomErasing
    erasing, images = kind(probability=1.0, mode="pixel", device="cuda"), torch.rand(4, 3, 16, 16, device="cuda")
    return lambda: call(erasing, {"input": images})
