"""Collectives of the simulated device: gloo in the place of NCCL, which would know tensors of the GPU only."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import torch

from .replacing import replace
from .simulated_device import ON_DEVICE, words

if TYPE_CHECKING:
    from .simulated_device import Device

COLLECTIVES: Final = words(
    """all_reduce all_gather all_gather_into_tensor broadcast reduce gather scatter reduce_scatter reduce_scatter_tensor
    all_to_all all_to_all_single send recv isend irecv"""
)
NO_BACKEND: Final = "No backend type associated with device type cpu"


class Groups:
    """What the process group would be on a GPU. `names` are the backends by type of device."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def start(self, backend: str | None) -> str:
        """Remember the backends of a group, and choose the one that runs here."""
        parts = (backend or "cpu:gloo,cuda:nccl").lower().split(",")
        self.names = dict(part.split(":") for part in parts if ":" in part)
        if parts == ["nccl"]:
            self.names = {"cuda": "nccl"}
        return "gloo" if self.names else str(backend)

    @property
    def lacks_host(self) -> bool:
        """Whether the group knows nothing of the host's tensors."""
        return bool(self.names) and "cpu" not in self.names


def install_collectives(stack: ExitStack, device: Device) -> None:
    """Replace everything until the stack is closed; nothing where torch was built without distributed."""
    if not torch.distributed.is_available():
        return
    groups = Groups()
    places = (torch.distributed, torch.distributed.distributed_c10d)
    new: dict[str, Any] = {
        "is_nccl_available": lambda: True,
        "init_process_group": _starter(torch.distributed.init_process_group, groups),
        "barrier": _barrier(torch.distributed.barrier, groups, device),
        **{name: _refusing(getattr(torch.distributed, name), groups) for name in COLLECTIVES},
    }
    for place in places:
        for name, function in new.items():
            replace(stack, place, name, function)
    _objects(stack, groups)
    _reducer(stack, device)


def _starter(original: Callable[..., Any], groups: Groups) -> Callable[..., Any]:
    @functools.wraps(original)
    def init_process_group(backend: str | None = None, *args: Any, **kwargs: Any) -> Any:
        kwargs.pop("device_id", None)
        return original(groups.start(backend), *args, **kwargs)

    return init_process_group


def _refusing(original: Callable[..., Any], groups: Groups) -> Callable[..., Any]:
    @functools.wraps(original)
    def collective(*args: Any, **kwargs: Any) -> Any:
        if groups.lacks_host and any(tensor not in ON_DEVICE for tensor in _tensors((args, kwargs))):
            raise RuntimeError(NO_BACKEND)
        return original(*args, **kwargs)

    return collective


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    """The tensors in nested lists and dictionaries."""
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
        if groups.names.get("cuda") == "nccl" and not kwargs.get("async_op"):
            device.record("barrier", "synchronize")
        kwargs.pop("device_ids", None)
        return original(*args, **kwargs)

    return barrier


def _objects(stack: ExitStack, groups: Groups) -> None:
    """Collectives of Python objects send tensors of the device, if that is all the group knows."""
    home: Any = torch.distributed.distributed_c10d
    original = getattr(home, "_get_object_coll_device", None)
    if original is not None:
        device_of = functools.wraps(original)(lambda group=None: "cuda" if groups.lacks_host else original(group))
        replace(stack, home, "_get_object_coll_device", device_of)


def _reducer(stack: ExitStack, device: Device) -> None:
    """The buckets in which gradients are reduced live where the gradients do."""
    distributed: Any = torch.distributed
    original = distributed.Reducer

    def reducer(parameters: Any, *args: Any, **kwargs: Any) -> Any:
        return _on_device(device, original, parameters, *args, **kwargs)

    def rebuild(self: Any) -> Any:
        return _on_device(device, before, self)

    before = original._rebuild_buckets
    replace(stack, distributed, "Reducer", reducer)
    replace(stack, original, "_rebuild_buckets", rebuild)


def _on_device(device: Device, function: Callable[..., Any], first: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function whose new tensors live where the device's last operator ran, or where its first argument does."""
    there = any(tensor in ON_DEVICE for tensor in _tensors(first)) or (not _is_list(first) and device.here.last)
    outside, device.here.wanted = device.here.wanted, there
    try:
        return function(first, *args, **kwargs)
    finally:
        device.here.wanted = outside


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))
