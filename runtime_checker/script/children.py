"""The processes that a program starts by `multiprocessing`, which nobody watches: the report has to say so."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import Final

_LOADERS: Final = "torch.utils.data"
"""Workers of a DataLoader never wait for the device."""


@contextmanager
def noted(names: list[str]) -> Iterator[None]:
    """Note the names of the processes that are started while entered."""
    original, parent = BaseProcess.start, os.getpid()

    def start(process: BaseProcess) -> None:
        target = getattr(process, "_target", None)
        if os.getpid() == parent and not str(getattr(target, "__module__", "")).startswith(_LOADERS):
            names.append(process.name)
        original(process)

    BaseProcess.start = start  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        BaseProcess.start = original  # type: ignore[method-assign]
