"""Functions of smaller libraries that wait, by their full names.

Sources: torchdiffeq 0.2.5 `torchdiffeq/_impl/`; kornia 0.8.3 `geometry/`, `filters/`, `color/`, `enhance/`, `losses/`;
torchvision 0.29 `transforms/_functional_tensor.py`; apex `amp/scaler.py`. Each row was run, except the one of apex.
"""

from __future__ import annotations

from typing import Final

from . import torch_geometric
from .torch_ops import Wait

_SOLVERS = ("torchdiffeq.odeint", "torchdiffeq.odeint_adjoint")
_NORMALIZE = ("torchvision.transforms.functional.normalize", "torchvision.transforms.v2.functional.normalize")
_WARPS = ("warp_affine", "warp_perspective", "rotate")
_GEOMETRY = ("kornia.geometry", "kornia.geometry.transform")
_FILTERS = ("gaussian_blur2d", "box_blur", "sobel", "spatial_gradient")
_COLORS = ("rgb_to_grayscale", "rgb_to_lab")


def _named(modules: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{module}.{name}" for module in modules for name in names)


OTHERS: Final = (
    Wait(
        _SOLVERS,
        "compares times, and adaptive methods the error of each step, on the host",
        "torchdiffeq 0.2.5 `_impl/misc.py`, `rk_common.py`, `solvers.py`",
        reads=("y0", "t"),
    ),
    Wait(
        _NORMALIZE,
        "copies the mean and the standard deviation to the device",
        "torchvision 0.29 `transforms/_functional_tensor.py`, `transforms/v2/functional/_misc.py`",
        reads=("tensor",),
    ),
    Wait(
        _named(_GEOMETRY, _WARPS),
        "inverts its matrix, and checks for errors on the host",
        "kornia 0.8.3 `geometry/transform/imgwarp.py`",
        reads=("src",),
    ),
    Wait(
        _named(("kornia.filters",), _FILTERS),
        "makes its kernel on the host and copies it to the device",
        "kornia 0.8.3 `filters/kernels.py`",
        reads=("src",),
    ),
    Wait(
        _named(("kornia.color",), _COLORS),
        "copies constants to the device",
        "kornia 0.8.3 `color/gray.py`, `color/lab.py`",
        reads=("src",),
    ),
    Wait(
        ("apex.amp.scale_loss",),
        "reads whether a gradient overflowed, when the block ends",
        "apex `amp/scaler.py`: one value of `_overflow_buf`",
        reads=("loss",),
    ),
)

SIGNATURES: Final[dict[str, str]] = {
    **dict.fromkeys(_SOLVERS, "open - - - | func:x y0:tT t:t"),
    **dict.fromkeys(_NORMALIZE, "tensor args like first | tensor:tx mean:x std:x inplace:b?"),
    **dict.fromkeys(_named(_GEOMETRY, _WARPS), "tensor args like first | src:t M:t dsize:x?"),
    **dict.fromkeys(_named(("kornia.filters",), _FILTERS), "tensor args like 1+ | src:t kernel_size:x? sigma:x?"),
    **dict.fromkeys(_named(("kornia.color",), _COLORS), "tensor args like first | src:t"),
    **torch_geometric.SIGNATURES,
}
"""Full name -> how it is called and what it returns, as in `torch_signatures`."""

WAITS: Final = (*torch_geometric.WAITS, *OTHERS)
ROWS: Final[dict[str, Wait]] = {name: row for row in WAITS for name in row.names}
"""Full name of a function -> its row."""
