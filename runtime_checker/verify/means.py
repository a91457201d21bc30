"""The ways to watch an example: the simulated device, or a real GPU through each of its senses."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TypeAlias

from ..device import DeviceError
from ..observe import Watcher

Watch: TypeAlias = Callable[[Sequence[str]], Watcher]


@dataclass(frozen=True, slots=True)
class Means:
    """What there is to watch with. `device` makes the device exist; the ways begin with the one that disturbs least."""

    real: bool
    name: Callable[[], str]
    device: Callable[[], AbstractContextManager[object]]
    ways: Mapping[str, Watch]


def choose(device: str) -> Means:
    """The means for `cuda`, `simulated` or `auto`, which is the GPU where there is one. Raises DeviceError."""
    try:
        import torch
    except ImportError as error:
        raise DeviceError(f"PyTorch cannot be imported: {error}") from error
    if device == "cuda" and not torch.cuda.is_available():
        raise DeviceError("there is no CUDA device that this PyTorch can use; `simulated` works anywhere")
    return cuda() if device == "cuda" or (device == "auto" and torch.cuda.is_available()) else simulated()


def simulated() -> Means:
    """The simulated device."""
    from ..simulated.watcher import watch_simulated

    return Means(False, lambda: watch_simulated().device, watch_simulated, {"simulated device": watch_simulated})


def cuda() -> Means:
    """A real GPU. What the debug mode sees is told apart from what needs more."""
    import torch

    from ..cuda.watcher import watch_cuda

    ways: dict[str, Watch] = {
        "sync_debug_mode": lambda roots: watch_cuda(roots, trace=False),
        "gpu_trace": lambda roots: watch_cuda(roots),
        "profiler": lambda roots: watch_cuda(roots, profile=True),
    }
    return Means(True, torch.cuda.get_device_name, contextlib.nullcontext, ways)
