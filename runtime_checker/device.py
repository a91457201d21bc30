"""Which device to watch: the GPU if there is one, the simulated device otherwise. Imports torch only on demand."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .observe import Watcher

DEVICES: Final = ("auto", "cuda", "emulated", "simulated")


class DeviceError(RuntimeError):
    """There is no such device to watch; the message is one line."""


def watch(device: str = "auto", roots: Sequence[str] = (), *, trace: bool = True) -> Watcher:
    """Return a watcher of the device; `trace` is that of `watch_cuda`. Raises DeviceError."""
    if device not in DEVICES:
        raise DeviceError(f"there is no device `{device}`; choose one of {', '.join(DEVICES)}")
    if device == "emulated" or (device == "auto" and _is_emulated() and not _is_simulated()):
        return _watch_emulated(roots)
    try:
        import torch  # noqa: F401
    except ImportError as error:
        if error.name != "torch":  # torch is there, and broken: its own words say more
            raise DeviceError(f"PyTorch could not be imported: {error}") from error
        raise DeviceError("PyTorch is not installed: pip install torch") from error
    if device == "simulated" or (device == "auto" and (_is_simulated() or not _has_gpu())):
        from .simulated.watcher import watch_simulated

        return watch_simulated(roots)
    if device == "cuda" and _is_emulated():
        raise DeviceError("this process runs on the emulated device; a GPU cannot be watched here")
    if _is_simulated():
        raise DeviceError("a GPU cannot be watched inside a simulated device")
    if not _has_gpu():
        raise DeviceError("this PyTorch finds no CUDA device it can use; `simulated` works anywhere")
    from .cuda.watcher import watch_cuda

    return watch_cuda(roots, trace=trace)


def _watch_emulated(roots: Sequence[str]) -> Watcher:
    """A watcher of the emulated device. It needs no trace: the runtime tells, and nothing takes time."""
    from .emulated.load import listen, load

    load()
    from .cuda.watcher import watch_cuda

    return watch_cuda(roots, trace=False, listen=listen)


def _is_simulated() -> bool:
    """Whether a simulated device is active, which answers for torch.cuda."""
    simulated = sys.modules.get(f"{__package__}.simulated.watcher")
    return simulated is not None and bool(simulated.is_active())


def _is_emulated() -> bool:
    """Whether this process runs on the emulated device."""
    emulated = sys.modules.get(f"{__package__}.emulated.load")
    return emulated is not None and bool(emulated.is_loaded())


def _has_gpu() -> bool:
    """Whether torch can use a GPU; asks the driver library, so that the process may still fork."""
    import torch

    name = "PYTORCH_NVML_BASED_CUDA_CHECK"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        return torch.cuda.is_available()
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
