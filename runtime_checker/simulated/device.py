"""The simulated device itself: which storages are on it, who watches it, and what each thread is doing with it."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from .. import observe
from .waits import Situation, Version, version_of

if TYPE_CHECKING:
    from ..observe import Kind, Wait
    from .graphs import CUDAGraph

COUNT: Final = max(1, int(os.environ.get("LOCAL_WORLD_SIZE") or 1))
"""The number of devices: one for each process that torchrun has started on this machine, of which each uses its own."""
CUDA: Final = torch.device("cuda", min(int(os.environ.get("LOCAL_RANK") or 0), COUNT - 1))
CPU: Final = torch.device("cpu")
NAME: Final = "simulated CUDA device"
SYNCHRONIZES: Final = "called a synchronizing CUDA operation"
FORBIDDEN: Final = "CUDA error: operation not permitted when stream is capturing"


class Storages:
    """A set of storages, queried by their tensors, that keeps no storage alive.

    A weak reference keeps a storage's address from being reused, so an address found here is never someone else's.
    """

    def __init__(self, fewest: int = 4096) -> None:
        self._references: dict[int, StorageWeakRef] = {}
        self._fewest = self._sweep_at = fewest

    def __contains__(self, tensor: torch.Tensor) -> bool:
        try:
            return _address(tensor) in self._references
        except NotImplementedError:
            return any(part in self for part in _parts(tensor))

    def holds(self, storage: torch.UntypedStorage) -> bool:
        """Whether a storage is in the set."""
        return storage._cdata in self._references

    def add(self, tensor: torch.Tensor) -> None:
        """Remember the tensor's storage."""
        with torch._C.DisableTorchFunction():
            try:
                self.add_storage(tensor.untyped_storage())
            except NotImplementedError:
                for part in _parts(tensor):
                    self.add(part)

    def add_storage(self, storage: torch.UntypedStorage) -> None:
        """Remember a storage."""
        if storage._cdata not in self._references:
            self._references[storage._cdata] = StorageWeakRef(storage)  # type: ignore[no-untyped-call]
            if len(self._references) > self._sweep_at:
                self._sweep()

    def discard(self, tensor: torch.Tensor) -> None:
        """Forget the tensor's storage."""
        try:
            self._references.pop(_address(tensor), None)
        except NotImplementedError:
            for part in _parts(tensor):
                self.discard(part)

    def _sweep(self) -> None:
        for address, reference in list(self._references.items()):
            if reference.expired():  # type: ignore[no-untyped-call]
                self._references.pop(address, None)
        self._sweep_at = max(self._fewest, 2 * len(self._references))


_address: Final[Callable[[torch.Tensor], int]] = torch._C._storage_id  # type: ignore[attr-defined]


def _parts(tensor: torch.Tensor) -> Sequence[torch.Tensor]:
    """Return the tensors with storages that a sparse tensor consists of; none for tensors without any storage."""
    with torch._C.DisableTorchFunction(), torch.utils._python_dispatch._disable_current_modes():
        if tensor.layout is torch.sparse_coo:
            return (tensor._indices(), tensor._values())
        if tensor.layout is torch.sparse_csr:
            return (tensor.crow_indices(), tensor.col_indices(), tensor.values())
    return ()


ON_DEVICE: Final = Storages()
"""The storages on the simulated device; kept between two simulations, as their tensors are."""
PINNED: Final = Storages()
"""The storages on the host whose memory is pinned."""


class Here(threading.local):
    """The state of one thread."""

    watched: bool = False
    """Whether the modes that see what happens are active."""
    call: tuple[Any, Sequence[Any], Mapping[str, Any]] | None = None
    """The torch function that Python has called, with its arguments; None during a backward pass."""
    wanted: bool | None = None
    """Whether what is being created was explicitly requested on the device."""
    last: bool = False
    """Whether the latest operator ran on the device."""
    number: bool = False
    """Whether what is being written into a tensor is a Python number."""
    filling: bool = False
    """Whether a derivative writes the zeros of a CPU value."""
    muted: int = 0
    """Above zero while operators run that the device would not run, or whose waits are already known."""


class Device:
    """One simulated GPU. Several watchers may watch it at once; without any it does nothing."""

    def __init__(self, version: Version | None = None) -> None:
        self.here = Here()
        self.watchers: list[tuple[list[Wait], tuple[str, ...]]] = []
        self.version = version or version_of(torch.__version__)
        self.process = os.getpid()
        self.debug_mode = 0
        """What the program asked `torch.cuda.set_sync_debug_mode` for: nothing, a warning or an error at each wait."""
        self.capturing: CUDAGraph | None = None
        """The graph that is being captured, if any: a wait would be an error."""

    def waits(self, name: str, rule: Callable[[Situation], Sequence[Kind]], values: Mapping[str, Any]) -> None:
        """Record what an operator waits for, given its arguments by name."""
        if self.here.muted or not self.watchers:
            return
        here = self.here
        situation = Situation(
            values, on_device, PINNED.__contains__, self.version, here.number or here.filling, here.filling
        )
        for kind in rule(situation):
            self.record(name, kind)

    def record(self, operator: str, kind: Kind) -> None:
        """Record one wait at the current line of the program."""
        if self.here.muted:
            return
        stack = observe.stack_of(sys._getframe(1))
        for waits, roots in list(self.watchers):
            waits.append(observe.origin_of(stack, roots).wait(operator, kind))
        self._object(kind)

    def _object(self, kind: Kind) -> None:
        """Warn of a wait or refuse it, as torch does if the program asks for it or captures a graph."""
        if self.capturing is not None:
            raise RuntimeError(FORBIDDEN)
        if kind in ("synchronize", "allocator"):  # of these the debug mode knows nothing
            return
        if self.debug_mode == 2:
            raise RuntimeError(SYNCHRONIZES)
        if self.debug_mode == 1:
            warnings.warn(SYNCHRONIZES, UserWarning, stacklevel=2)

    def call(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Call a torch function and let operators know on whose behalf they run."""
        here = self.here
        before, here.call = here.call, (function, args, kwargs)
        try:
            return function(*args, **kwargs)
        finally:
            here.call = before

    def operator(self, name: str) -> str:
        """Return the operator's name as the user knows it: that of the function that was called, if any."""
        call = self.here.call
        if call is None:
            return f"{name} (backward)" if torch._C._current_graph_task_id() != -1 else name
        return plain_name(call[0])

    def creates_on_device(self) -> bool:
        """Whether a tensor that an operator creates from nothing would be on the device."""
        here = self.here
        if here.wanted is not None:
            return here.wanted
        if here.call is None:
            return here.last and torch._C._current_graph_task_id() != -1
        return any(map(on_device, tensors_in(here.call[1], here.call[2])))

    def require(self) -> None:
        """Raise CUDA's error for what a forked process cannot do."""
        if os.getpid() != self.process:
            raise RuntimeError(
                "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, "
                "you must use the 'spawn' start method"
            )


def on_device(value: object) -> bool:
    """Whether a value is a tensor on the simulated device."""
    return isinstance(value, torch.Tensor) and value in ON_DEVICE


def words(text: str) -> frozenset[str]:
    """Return names that are written as one string."""
    return frozenset(text.split())


def plain_name(function: Any) -> str:
    """Return a function's name without the underscores of Python's special methods."""
    name: str = getattr(function, "__name__", str(function))
    return name[2:-2] if name.startswith("__") and name.endswith("__") else name


def tensors_in(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Iterator[torch.Tensor]:
    """Yield the tensors among arguments, including those in lists."""
    for value in (*args, *kwargs.values()) if kwargs else args:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            for item in value:
                if isinstance(item, torch.Tensor):
                    yield item


def parse_device(device: Any) -> torch.device:
    """Return a device given as such, by name or as the number of a GPU. Raises CUDA's error if there is no such GPU."""
    if device is None:
        return CUDA
    found = torch.device("cuda", device) if isinstance(device, int) else torch.device(device)
    if found.type == "cuda" and (found.index or 0) >= COUNT:
        raise RuntimeError("CUDA error: invalid device ordinal")
    return CUDA if found.type == "cuda" else found


def place(result: Any, there: bool) -> Any:
    """Mark new tensors as being on the device, or on the host."""
    if isinstance(result, torch.Tensor):
        (ON_DEVICE.add if there else ON_DEVICE.discard)(result)
    elif isinstance(result, (list, tuple)):
        for item in result:
            place(item, there)
    return result
