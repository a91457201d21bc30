"""Errors of linear algebra, which torch's CUDA code reads where a kernel would have left them.

An operator that checks within itself does so before its values are there. What the CPU has found stands in for them.
"""

from __future__ import annotations

import threading
from typing import Any, Final

import torch

from .memory import host_view

NAME: Final = "aten::_linalg_check_errors"
_ON_CPU: Final = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)


class _UnderWay(threading.local):
    """The CPU's answers for the operators whose CUDA kernels this thread is in: an error, or none."""

    def __init__(self) -> None:
        self.errors: list[Exception | None] = []


UNDER_WAY: Final = _UnderWay()


def check(keys: Any, info: torch.Tensor, name: str, *, is_matrix: bool) -> None:
    """Let torch read whether an operator failed, and raise the CPU's error."""
    original = torch.ops.aten._linalg_check_errors.default.redispatch
    if not UNDER_WAY.errors:
        original(_ON_CPU, info, name, is_matrix=is_matrix)
        return
    error = UNDER_WAY.errors[-1]
    with torch._C.DisableTorchFunction():
        host_view(info).fill_(int(error is not None))
    try:
        original(_ON_CPU, info, name, is_matrix=is_matrix)
    except RuntimeError:
        if error is None:
            raise
        raise error from None
