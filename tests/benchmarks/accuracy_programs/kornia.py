"""The functions and modules of kornia: losses, geometry, filters, colours, features, augmentations."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator, Sequence
from typing import Any, Final

import torch

from .arguments import Maker, Pool, combinations, required
from .program import Program, Step, backward, functions_of, modules_of

AREAS: Final = (
    "losses", "geometry", "geometry.bbox", "geometry.boxes", "geometry.camera", "geometry.transform",
    "geometry.epipolar", "geometry.subpix", "geometry.ransac", "geometry.quaternion", "geometry.liegroup",
    "filters", "color", "enhance", "morphology", "metrics", "feature", "contrib", "image",
)  # fmt: skip


def _random(*shape: int) -> Maker:
    return lambda: torch.rand(shape, device="cuda")


def _matrices(size: int) -> Maker:
    return lambda: torch.eye(size, device="cuda").repeat(2, 1, 1) + 0.01 * torch.rand(2, size, size, device="cuda")


def _whole(high: int, *shape: int) -> Maker:
    return lambda: torch.randint(high, shape, device="cuda")


def _shapes(*shapes: Sequence[int]) -> list[Maker]:
    return [_random(*shape) for shape in shapes]


IMAGES: Final = _shapes((2, 3, 32, 32), (2, 1, 32, 32), (3, 32, 32), (2, 3, 4, 32, 32))
POINTS: Final = _shapes((2, 8, 2), (2, 8, 3), (8, 2), (8, 3))
OTHERS: Final = [
    _matrices(3), _matrices(4), _random(2, 3, 4), *_shapes((2, 3), (2, 4), (2, 2), (2, 1), (2,), (3, 3), (2, 8, 2, 3)),
    _random(2, 8, 4, 2), _random(8, 16), _whole(3, 2, 32, 32), _whole(3, 2), _whole(2, 8), _random(4),
]  # fmt: skip
ONES: Final[Maker] = lambda: torch.ones(3, 3, device="cuda")  # noqa: E731
INPUTS: Final = Pool(
    {
        r"(image|img|input|data|tensor|x|src|inp|patch|guidance|depth|imagey|pred|labels1).*": IMAGES,
        r".*(points|pts|point|xy|kp)\w*": POINTS,
        r"(camera_)?matrix|K\d?|R\d?|M|H|F_mat|E_mat|Fm|A|.*homo.*|rotation_matrix|.*intrinsics.*": OTHERS[:3],
        r"P\d?|.*trans_\d+|extrinsics.*|dst_pix_trans_src_pix": [OTHERS[2], OTHERS[1], OTHERS[0]],
        r"laf\w*|LAF\w*": [OTHERS[9]],
        r"desc\w*|descriptor\w*": [_random(8, 16)],
        r"boxes\w*|\w*_boxes?": [OTHERS[10], _random(8, 4)],
        r"quaternion|q|qvec|quat": [OTHERS[4], _random(4)],
        r"axis_angle|tvec|vec|v|t\d?|vector": [OTHERS[3], _random(2, 3, 1), _random(3)],
        r"target|labels?|index": [*IMAGES[:2], _whole(3, 2, 32, 32), _whole(3, 2)],
        r"kernel": [ONES, lambda: torch.ones(1, 3, 3, device="cuda")],
        r"kernel_size|window_size": [lambda: 3, lambda: (3, 3), lambda: 5],
        r"sigma": [lambda: (1.0, 1.0), lambda: 1.0],
        r"dsize|size|out_size|output_size": [lambda: (16, 16)],
        r"height|width|num_classes|num_features": [lambda: 32, lambda: 3],
    },
    [*IMAGES[:2], *OTHERS, *POINTS],
)


def programs() -> Iterator[Program]:
    """All of them."""
    for area in AREAS:
        try:
            module = importlib.import_module(f"kornia.{area}")
        except ImportError:
            continue
        yield from functions_of(module, INPUTS)
        yield from modules_of(module, INPUTS, INPUTS)
    augmentation = importlib.import_module("kornia.augmentation")
    for name, kind in sorted(vars(augmentation).items()):
        if inspect.isclass(kind) and issubclass(kind, torch.nn.Module) and not name.startswith("_"):
            for moved in (False, True):
                title = f"kornia.augmentation.{name}{' on the device' if moved else ''}"
                yield Program(title, lambda kind=kind, moved=moved: _augmentation(kind, moved))


def _augmentation(kind: Any, moved: bool) -> Step:
    """An augmentation that changes every image, applied to images or videos, and `moved` to the device before or not.

    Both are common: then it draws its numbers on the device, else on the host.
    """
    certain = {"p": 1.0} if "p" in inspect.signature(kind).parameters else {}
    refusal: Exception = ValueError("no arguments")
    for given in combinations(required(kind), INPUTS, 12):
        for images in (IMAGES[0], IMAGES[1], IMAGES[3]):
            try:
                module, image = kind(**given, **certain), images()
                module = module.to("cuda") if moved else module
                module(image)
            except Exception as error:
                refusal = error
            else:
                return lambda: backward(module(image))
    raise refusal
