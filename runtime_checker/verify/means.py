"""The ways to watch an example: the simulated device, or a real GPU through each of its senses."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, TypeAlias

from ..device import DeviceError
from ..observe import Watcher
from .outcome import CONFIRMED, MODELLED, OBSERVED

Watch: TypeAlias = Callable[[Sequence[str]], Watcher]


@dataclass(frozen=True, slots=True)
class Means:
    """The ways to watch that a machine has.

    `verdict` is what it says of a rule that waits where it is marked. A device that `lags` runs behind the host, so
    that what is read too early is old. `device` makes the device exist; the ways begin with the one that disturbs
    least.
    """

    verdict: str
    lags: bool
    name: Callable[[], str]
    device: Callable[[], AbstractContextManager[object]]
    ways: Mapping[str, Watch]


def choose(device: str) -> Means:
    """The means for a device; `auto` is the GPU where there is one, else the simulated device. Raises DeviceError."""
    if device == "emulated":
        return emulated()
    try:
        import torch
    except ImportError as error:
        if error.name != "torch":
            raise DeviceError(f"PyTorch could not be imported: {error}") from error
        raise DeviceError("PyTorch is not installed: pip install torch") from error
    if device == "cuda" and not torch.cuda.is_available():
        raise DeviceError("this PyTorch finds no CUDA device it can use; `simulated` works anywhere")
    return cuda() if device == "cuda" or (device == "auto" and torch.cuda.is_available()) else simulated()


def _debug_mode(roots: Sequence[str]) -> Watcher:
    from ..cuda.watcher import watch_cuda

    return watch_cuda(roots, trace=False)


def _gpu_trace(roots: Sequence[str]) -> Watcher:
    from ..cuda.watcher import watch_cuda

    return watch_cuda(roots)


def _runtime(roots: Sequence[str]) -> Watcher:
    from ..cuda.watcher import watch_cuda
    from ..emulated.load import listen

    return watch_cuda(roots, trace=False, listen=listen)


_HOSTS_WAYS: Final[dict[str, Watch]] = {"sync_debug_mode": _debug_mode, "gpu_trace": _gpu_trace}
"""Waits that torch reports on the host, whether or not there is a GPU."""


def emulated() -> Means:
    """The emulated device, on which torch's own CUDA code decides."""
    from ..emulated.load import load

    load()
    import torch

    return Means(
        OBSERVED, False, torch.cuda.get_device_name, contextlib.nullcontext, {**_HOSTS_WAYS, "runtime": _runtime}
    )


def simulated() -> Means:
    """Return the means of the simulated device."""
    from ..simulated.watcher import watch_simulated

    return Means(
        MODELLED, False, lambda: watch_simulated().device, watch_simulated, {"simulated device": watch_simulated}
    )


def cuda() -> Means:
    """Return the means of a real GPU; what the debug mode sees is kept apart from what needs more."""
    import torch

    from ..cuda.watcher import watch_cuda

    ways: dict[str, Watch] = {**_HOSTS_WAYS, "profiler": lambda roots: watch_cuda(roots, profile=True)}
    return Means(CONFIRMED, True, torch.cuda.get_device_name, contextlib.nullcontext, ways)
