"""CUDA graphs: what is captured is the operators that ran on the device, and a replay runs them once more."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, ClassVar, Final

import torch

from ..replacing import replace

if TYPE_CHECKING:
    from .device import Device

HANDLE: Final = (0, 1)
"""The one pool of memory."""


class CUDAGraph:
    """A list of operators with their arguments and results."""

    owner: ClassVar[Device]

    def __init__(self, keep_graph: bool = False) -> None:
        self.steps: list[tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any], Any]] = []

    def capture_begin(self, pool: Any = None, capture_error_mode: str = "global", **_: Any) -> None:
        """Keep what runs from now on."""
        self.reset()
        self.owner.capturing = self

    def capture_end(self) -> None:
        """Keep no more."""
        self.owner.capturing = None

    def replay(self) -> None:
        """Run everything again, on the same memory."""
        self.owner.here.muted += 1
        try:
            with torch.no_grad():
                for func, args, kwargs, result in self.steps:
                    _write(func(*args, **kwargs), result)
        finally:
            self.owner.here.muted -= 1

    def reset(self) -> None:
        """Forget everything."""
        self.steps.clear()

    def instantiate(self) -> None:
        """Do nothing: what was captured is ready."""

    def pool(self) -> tuple[int, int]:
        """Return the handle of the graph's memory, which is that of everything."""
        return HANDLE

    def enable_debug_mode(self) -> None:
        """Do nothing: there is nothing to look at."""

    def debug_dump(self, debug_path: str) -> None:
        """Write nothing."""


def _write(new: Any, old: Any) -> None:
    """Write what an operator has returned over what it returned when it was captured."""
    if isinstance(old, torch.Tensor):
        if new is not old and new.data_ptr() != old.data_ptr():
            old.copy_(new)
    elif isinstance(old, (list, tuple)):
        for one, other in zip(new, old, strict=True):
            _write(one, other)


def _refuses(device: Device, function: Callable[..., Any], words: str) -> Callable[..., Any]:
    """Return a function that cannot be called while a graph is captured."""

    def called(*args: Any, **kwargs: Any) -> Any:
        if device.capturing is not None:
            raise RuntimeError(words)
        return function(*args, **kwargs)

    return called


_SEEDED: Final = "CUDAGeneratorImpl::set_current_seed can be called during stream capture only if new seed is the same"
_CAPTURABLE: Final = "Attempting CUDA graph capture of step() for an optimizer but param_groups' capturable is False."


def _checked(device: Device, optimizer: Any) -> None:
    """Refuse the step of an optimizer that is not capturable while a graph is captured, as torch's CUDA build does."""
    if device.capturing is not None and not all(group["capturable"] for group in optimizer.param_groups):
        raise RuntimeError(_CAPTURABLE)


def install_graphs(stack: ExitStack, device: Device) -> None:
    """Replace torch's graphs until the stack is closed."""
    replace(stack, torch.cuda, "CUDAGraph", type("CUDAGraph", (CUDAGraph,), {"owner": device}))
    for owner in (torch.cuda, torch.cuda.graphs):
        replace(stack, owner, "graph_pool_handle", lambda: HANDLE)
        replace(stack, owner, "is_current_stream_capturing", lambda: device.capturing is not None)
        for name in ("manual_seed", "manual_seed_all"):
            if hasattr(owner, name):
                replace(stack, owner, name, _refuses(device, getattr(owner, name), _SEEDED))
    for name in ("_cuda_graph_capture_health_check", "_accelerator_graph_capture_health_check"):
        if hasattr(torch.optim.Optimizer, name):
            replace(stack, torch.optim.Optimizer, name, lambda optimizer: _checked(device, optimizer))
    replace(stack, torch._C, "_host_emptyCache", lambda: None)
    replace(stack, torch.cuda, "MemPool", _MemPool)
    for name in ("use_mem_pool", "MemPoolContext"):
        if hasattr(torch.cuda, name):
            replace(stack, torch.cuda, name, lambda *_, **__: contextlib.nullcontext())


class _MemPool:
    """A pool of memory of which nothing is known."""

    id = HANDLE

    def __init__(self, *_: Any, **__: Any) -> None:
        """Accept any arguments."""

    def use_count(self) -> int:
        """Return how many use it."""
        return 1

    def snapshot(self, *_: Any, **__: Any) -> list[Any]:
        """Return its blocks: none."""
        return []
