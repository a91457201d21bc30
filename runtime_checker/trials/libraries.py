"""Trials of smaller libraries' functions that wait; none of a library that is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from typing import Final

from .programs import prepared
from .trial import Trial

IMAGE: Final = "k[:, :3]"
LIBRARIES: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "torchdiffeq": {
        name: (
            f"torchdiffeq.{name}(torch.mul, v, v + 1.0{given})",
            f"torchdiffeq.{name}(torch.mul, v, v + 1.0{given}, method='euler')",
            f"torchdiffeq.{name}(torch.mul, v, h, method='rk4'{given})",
        )
        for name, given in (("odeint", ""), ("odeint_adjoint", ", adjoint_params=()"))
    },
    "torchvision.transforms.v2.functional": {
        "normalize": (
            f"torchvision.transforms.functional.normalize({IMAGE}, [0.5], [0.5])",
            f"torchvision.transforms.v2.functional.normalize({IMAGE}, [0.5], [0.5])",
        )
    },
    "kornia": {
        "warp_affine": (f"kornia.geometry.warp_affine({IMAGE}, e[None, :2, :3], (4, 4))",),
        "warp_perspective": (f"kornia.geometry.transform.warp_perspective({IMAGE}, e[None, :3, :3], (4, 4))",),
        "rotate": (f"kornia.geometry.rotate({IMAGE}, s[None])",),
        "gaussian_blur2d": (f"kornia.filters.gaussian_blur2d({IMAGE}, (3, 3), (1.5, 1.5))",),
        "box_blur": (f"kornia.filters.box_blur({IMAGE}, 3)",),
        "sobel": (f"kornia.filters.sobel({IMAGE})",),
        "spatial_gradient": (f"kornia.filters.spatial_gradient({IMAGE})",),
        "rgb_to_grayscale": (f"kornia.color.rgb_to_grayscale({IMAGE})",),
        "rgb_to_lab": (f"kornia.color.rgb_to_lab({IMAGE})",),
    },
}
"""Module -> last name of a function -> calls that wait."""

NOT_RUN: Final = {"scale_loss": "apex is compiled where it is installed; its source was read"}


def library_trials() -> Iterator[Trial]:
    """Yield the trials of what is installed."""
    for module, functions in LIBRARIES.items():
        root = module.partition(".")[0]
        if find_spec(root) is None:
            continue
        for name, calls in functions.items():
            for call in calls:
                program = f"import {module}; {call}"
                yield Trial(f"{root} {name}", program, 1, partial(prepared, program))
