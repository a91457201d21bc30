"""Collectives of the simulated device: gloo in place of NCCL, which would only accept GPU tensors."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary, WeakSet

import torch

from ..replacing import replace
from .device import ON_DEVICE, words

if TYPE_CHECKING:
    from .device import Device

COLLECTIVES: Final = words(
    """all_reduce all_gather all_gather_into_tensor all_gather_single broadcast reduce gather scatter reduce_scatter
    reduce_scatter_tensor reduce_scatter_single all_to_all all_to_all_single send recv isend irecv"""
)
NCCL: Final = (2, 27, 3)
"""The version that programs are told."""
_FIRST_SAMPLED: Final = 10
"""So many steps are timed from the first on, and then one in `_SAMPLE_RATE`."""
_SAMPLE_RATE: Final = 100
_READ_OF_TIMERS: Final = 8
"""Four timers, of two events each."""
NO_BACKEND: Final = "No backend type associated with device type cpu"


class Groups:
    """The process groups as they would be on a GPU: the backends of each by device type; `None` is the default."""

    def __init__(self) -> None:
        self._names: dict[str | None, dict[str, str]] = {}

    def begin(self) -> None:
        """Forget all groups: a new default group is about to be created."""
        self._names.clear()

    def add(self, group: object, names: dict[str, str]) -> None:
        """Remember the backends of a group."""
        self._names[_name(group)] = names

    def names(self, group: object = None) -> dict[str, str]:
        """Return the backends of a group, if they differ from those that run here."""
        return self._names.get(_name(group), self._names.get(None, {}))

    def lacks_host(self, group: object = None) -> bool:
        """Whether the group has no backend for CPU tensors."""
        names = self.names(group)
        return bool(names) and "cpu" not in names


def _name(group: object) -> str | None:
    return getattr(group, "group_name", None)


def _names_of(backend: str | None) -> dict[str, str]:
    """Return the backends by device type for a string such as `nccl` or `cpu:gloo,cuda:nccl`; none for others."""
    parts = (backend or "cpu:gloo,cuda:nccl").lower().split(",")
    return {"cuda": "nccl"} if parts == ["nccl"] else dict(part.split(":") for part in parts if ":" in part)


def install_collectives(stack: ExitStack, device: Device) -> None:
    """Replace everything until the stack is closed; do nothing if torch was built without distributed."""
    if not torch.distributed.is_available():
        return
    groups = Groups()
    distributed: Any = torch.distributed
    new: dict[str, Any] = {
        "is_nccl_available": lambda: True,
        "init_process_group": _starter(distributed.init_process_group, groups),
        "new_group": _maker(distributed.new_group, groups),
        "barrier": _barrier(distributed.barrier, groups, device),
        **{
            name: _collective(getattr(distributed, name), groups, device)
            for name in COLLECTIVES
            if hasattr(distributed, name)
        },
    }
    for place in (distributed, distributed.distributed_c10d):
        for name, function in new.items():
            replace(stack, place, name, function)
    replace(stack, distributed, "get_backend", _named(distributed.get_backend, groups))
    replace(stack, torch.cuda.nccl, "version", lambda: NCCL)
    _objects(stack, groups)
    _reducer(stack, device)


def _starter(original: Callable[..., Any], groups: Groups) -> Callable[..., Any]:
    @functools.wraps(original)
    def init_process_group(backend: str | None = None, *args: Any, **kwargs: Any) -> Any:
        kwargs.pop("device_id", None)
        names = _names_of(backend)
        result = original("gloo" if names else backend, *args, **kwargs)
        groups.begin()
        groups.add(None, names)
        return result

    return init_process_group


def _maker(original: Callable[..., Any], groups: Groups) -> Callable[..., Any]:
    signature = inspect.signature(original)

    @functools.wraps(original)
    def new_group(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs).arguments
        backend = given.get("backend")
        names = groups.names() if backend is None else _names_of(backend)
        if names:
            given["backend"] = "gloo"
        for name in ("device_id", "pg_options"):
            given.pop(name, None)
        group = original(**given)
        groups.add(group, names)
        return group

    return new_group


def _named(original: Callable[..., Any], groups: Groups) -> Callable[..., Any]:
    """Return what programs are told; PyTorch itself must know which backend really runs."""

    @functools.wraps(original)
    def get_backend(group: Any = None) -> Any:
        runs, names = original(group), groups.names(group)
        return names.get("cuda", runs) if names else runs

    return get_backend


def _collective(original: Callable[..., Any], groups: Groups, device: Device) -> Callable[..., Any]:
    @functools.wraps(original)
    def collective(*args: Any, **kwargs: Any) -> Any:
        group = next(filter(_is_group, (*args, *kwargs.values())), None)
        if groups.lacks_host(group) and any(tensor not in ON_DEVICE for tensor in _tensors((args, kwargs))):
            raise RuntimeError(NO_BACKEND)
        device.here.muted += 1  # the copies that gloo makes do not happen on a GPU
        try:
            return original(*args, **kwargs)
        finally:
            device.here.muted -= 1

    return collective


def _is_group(value: Any) -> bool:
    return isinstance(value, torch.distributed.ProcessGroup)


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    """Yield the tensors in nested lists and dictionaries."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, dict):
        yield from _tensors(tuple(value.values()))


def _barrier(original: Callable[..., Any], groups: Groups, device: Device) -> Callable[..., Any]:
    @functools.wraps(original)
    def barrier(*args: Any, **kwargs: Any) -> Any:
        group = next(filter(_is_group, (*args, *kwargs.values())), None)
        if groups.names(group).get("cuda") == "nccl" and not kwargs.get("async_op"):
            device.record("barrier", "synchronize")
        kwargs.pop("device_ids", None)
        return original(*args, **kwargs)

    return barrier


def _objects(stack: ExitStack, groups: Groups) -> None:
    """Make object collectives send device tensors, if the group supports nothing else."""
    home: Any = torch.distributed.distributed_c10d
    original = getattr(home, "_get_object_coll_device", None)
    if original is not None:
        device_of = functools.wraps(original)(
            lambda group=None: "cuda" if groups.lacks_host(group) else original(group)
        )
        replace(stack, home, "_get_object_coll_device", device_of)


def _reducer(stack: ExitStack, device: Device) -> None:
    """Create the gradient reduction buckets where the gradients are."""
    distributed: Any = torch.distributed
    original = distributed.Reducer

    there: WeakSet[Any] = WeakSet()

    def reducer(parameters: Any, *args: Any, **kwargs: Any) -> Any:
        made = _on_device(device, original, parameters, *args, **kwargs)
        if any(tensor in ON_DEVICE for tensor in _tensors(parameters)):
            there.add(made)
        return made

    def rebuild(self: Any) -> Any:
        return _on_device(device, before, self)

    before = original._rebuild_buckets
    replace(stack, distributed, "Reducer", reducer)
    replace(stack, original, "_rebuild_buckets", rebuild)
    _timers(stack, device, there)


def _timers(stack: ExitStack, device: Device, there: WeakSet[Any]) -> None:
    """Wait for the timers that DistributedDataParallel keeps of its last step, which it reads before some forwards.

    Source: torch 2.15 `csrc/distributed/c10d/logger.cpp` and `reducer.cpp`, which wait for both ends of each timer.
    """
    distributed: Any = torch.distributed
    original = distributed.Logger
    log = original.set_runtime_stats_and_log
    steps: WeakKeyDictionary[Any, int] = WeakKeyDictionary()

    def logger(reducer: Any) -> Any:
        made = original(reducer)
        if reducer in there:
            steps[made] = 0
        return made

    def set_runtime_stats_and_log(self: Any) -> None:
        before = steps.get(self, 0)
        if self in steps:
            steps[self] = before + 1
        if 0 < before <= _FIRST_SAMPLED or (before and before % _SAMPLE_RATE == 0):
            for _ in range(_READ_OF_TIMERS):
                device.record("set_runtime_stats_and_log", "synchronize")
        log(self)

    replace(stack, distributed, "Logger", logger)
    replace(stack, original, "set_runtime_stats_and_log", set_runtime_stats_and_log)


def _on_device(device: Device, function: Callable[..., Any], first: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function whose new tensors are created where the device's last operator ran, or its first argument is."""
    there = any(tensor in ON_DEVICE for tensor in _tensors(first)) or (not _is_list(first) and device.here.last)
    outside, device.here.wanted = device.here.wanted, there
    try:
        return function(first, *args, **kwargs)
    finally:
        device.here.wanted = outside


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))
