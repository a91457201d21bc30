"""Brings the stub libraries into this process, before torch is imported."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from ..device import DeviceError
from .build import built
from .plan import Torch, installed

_LOADED: Final[dict[str, ctypes.CDLL]] = {}
"""The stubs in this process, by the names of their files."""


def is_loaded() -> bool:
    """Whether this process runs on the emulated device."""
    return bool(_LOADED)


def load() -> None:
    """Make `import torch` find the emulated device, if it is not there already. Raises DeviceError."""
    if _LOADED:
        return
    if sys.platform != "linux" or sys.maxsize < 2**32:
        raise DeviceError("the emulated device works on 64-bit Linux only; `simulated` works anywhere")
    if "torch" in sys.modules:
        raise DeviceError("torch has already been imported; set up the emulated device first")
    torch = installed()
    _load(built(torch))
    _import(torch)


def _load(stubs: list[Path]) -> None:
    """Load them for all to see. A library whose name is known to the linker already is not searched for again."""
    try:
        loaded = {path.name: ctypes.CDLL(str(path), mode=os.RTLD_GLOBAL | os.RTLD_NOW) for path in stubs}
    except OSError as error:
        raise DeviceError(f"the stub libraries cannot be loaded: {error}") from error
    _LOADED.update(loaded)


def _import(torch: Torch) -> None:
    try:
        import torch as imported
    except (ImportError, OSError) as error:
        _LOADED.clear()
        raise DeviceError(f"PyTorch {torch.version} cannot be loaded on the stub libraries: {error}") from error
    if imported.version.cuda is None:  # counting devices would forbid to fork
        raise DeviceError(f"PyTorch {torch.version} finds no device on the stub libraries")
    from . import compiler, dispatch

    dispatch.install()
    compiler.install()


def answer(count: int) -> None:
    """Set the number that the host reads where a kernel would have counted; -1 unsets it."""
    _runtime().synclint_answer(ctypes.c_longlong(count))


def listen(heard: Callable[[str], None] | None) -> None:
    """Report each runtime call that waits without a warning of torch's, from now on; None ends that."""
    callback = _Heard(0 if heard is None else lambda call: heard(call.decode()))
    _runtime().synclint_listen(callback)
    _LISTENING[:] = [callback]  # whoever is called from C must not be freed


_Heard: Final = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
_LISTENING: Final[list[Any]] = []


def _runtime() -> ctypes.CDLL:
    return next(library for name, library in _LOADED.items() if name.startswith("libcudart."))
