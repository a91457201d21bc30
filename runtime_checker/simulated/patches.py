"""Replaces parts of torch so that it believes in a GPU; everything is restored at the end."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import torch

from ..replacing import replace
from .device import COUNT, CUDA, NAME, on_device, parse_device, words
from .graphs import install_graphs
from .nccl import install_collectives
from .runtime import CAPABILITY, MEMORY, install_runtime
from .streams import make_classes
from .tensors import install_tensors
from .types import install_types

if TYPE_CHECKING:
    from .device import Device

DO_NOTHING: Final = words(
    """init _lazy_init set_device set_stream manual_seed manual_seed_all seed seed_all ipc_collect
    reset_peak_memory_stats reset_accumulated_memory_stats reset_max_memory_allocated reset_max_memory_cached
    set_per_process_memory_fraction"""
)
OVERRIDE_TESTS: Final = ("has_torch_function", "has_torch_function_unary", "has_torch_function_variadic")


def install(stack: ExitStack, device: Device, watch_thread: Callable[[], Any]) -> None:
    """Replace everything; `watch_thread` creates the context in which a new thread runs."""
    _override_tests(stack, device)
    _threads(stack, device, watch_thread)
    _cuda(stack, device)
    _accelerator(stack, device)
    _others(stack)
    install_types(stack)
    install_runtime(stack, device)
    install_graphs(stack, device)
    install_tensors(stack, device)
    install_collectives(stack, device)


def _override_tests(stack: ExitStack, device: Device) -> None:
    """Let torch functions that are written in Python run, instead of first asking the active mode.

    Otherwise what happens inside them would not be seen. Functions imported in the meantime may keep the replacements,
    which therefore behave like the originals when nobody watches.
    """
    for name in OVERRIDE_TESTS:
        original = getattr(torch.overrides, name)
        replacement = _override_test(original, device, takes_iterable=name == "has_torch_function")
        torch.jit._builtins._register_builtin(replacement, "aten::has_torch_function")
        for module in list(sys.modules.values()):
            if getattr(module, "__name__", "").startswith("torch") and vars(module).get(name) is original:
                replace(stack, module, name, replacement)


def _override_test(original: Any, device: Device, takes_iterable: bool) -> Any:
    def test(*values: Any) -> Any:
        if not device.watchers:
            return original(*values)
        return any(map(_overrides, values[0] if takes_iterable else values))

    return test


def _overrides(value: Any) -> bool:
    kind = type(value)
    if kind is torch.Tensor or kind is torch.nn.Parameter:
        return False
    function = getattr(kind, "__torch_function__", None)
    return function is not None and function is not torch._C._disabled_torch_function_impl


def _threads(stack: ExitStack, device: Device, watch_thread: Callable[[], Any]) -> None:
    """Watch the threads that are started from now on; modes are per thread."""
    original = threading.Thread._bootstrap_inner  # type: ignore[attr-defined]

    def bootstrap(thread: threading.Thread) -> None:
        if not device.watchers:
            original(thread)
            return
        with watch_thread():
            original(thread)

    replace(stack, threading.Thread, "_bootstrap_inner", bootstrap)


def _cuda(stack: ExitStack, device: Device) -> None:
    stream_class, event_class = make_classes(device)
    the_stream = stream_class()
    constants: dict[str, Any] = {
        "is_available": True,
        "device_count": COUNT,
        "current_device": CUDA.index,
        "is_initialized": True,
        "is_bf16_supported": True,
        "is_tf32_supported": True,
        "_is_in_bad_fork": False,
        "get_device_name": NAME,
        "get_device_capability": CAPABILITY,
        "get_arch_list": ["sm_90"],
        "mem_get_info": (MEMORY, MEMORY),
        "memory_summary": "",
        "current_stream": the_stream,
        "default_stream": the_stream,
        "utilization": 0,
        "temperature": 0,
        "power_draw": 0,
    }
    for name, value in constants.items():
        _function(stack, torch.cuda, name, value)
    for name in DO_NOTHING:
        _function(stack, torch.cuda, name, None)
        _function(stack, torch.cuda.random, name, None)
    for name in ("allocated", "reserved", "cached"):
        _function(stack, torch.cuda, f"memory_{name}", 0)
        _function(stack, torch.cuda, f"max_memory_{name}", 0)
    for name in ("range_push", "range_pop", "mark"):
        _function(stack, torch.cuda.nvtx, name, None)
    for name in ("synchronize", "empty_cache"):
        _waiting(stack, device, torch.cuda, name)
    for name, new in {
        "Stream": stream_class,
        "ExternalStream": stream_class,
        "Event": event_class,
        "stream": lambda stream: stream or contextlib.nullcontext(),
        "StreamContext": lambda stream: stream or contextlib.nullcontext(),
        "device": _DeviceContext,
        "device_of": lambda _: contextlib.nullcontext(),
        "get_rng_state": lambda device=None: torch.get_rng_state(),
        "get_rng_state_all": lambda: [torch.get_rng_state()],
        "set_rng_state": lambda state, device=None: torch.set_rng_state(state),
        "set_rng_state_all": lambda states: torch.set_rng_state(states[0]),
        "initial_seed": torch.initial_seed,
        "_get_device_index": lambda device, optional=False, allow_cpu=False: parse_device(device).index,
    }.items():
        for owner in (torch.cuda, torch.cuda.random):
            if owner is torch.cuda or hasattr(owner, name):
                replace(stack, owner, name, new)
    for name, new in (("Stream", stream_class), ("Event", event_class)):
        if hasattr(torch, name):
            replace(stack, torch, name, new)


def _function(stack: ExitStack, owner: Any, name: str, value: Any) -> None:
    """Replace a function by one that returns a constant."""
    if hasattr(owner, name):
        replace(stack, owner, name, lambda *_, **__: value)


def _waiting(stack: ExitStack, device: Device, owner: Any, name: str) -> None:
    """Replace a function by one that waits for the whole device."""
    if hasattr(owner, name):
        replace(stack, owner, name, lambda *_, **__: device.record(name, "synchronize"))


class _DeviceContext:
    """`with torch.cuda.device(0):`, with no other device to switch to."""

    def __init__(self, device: Any) -> None:
        self.idx = parse_device(device).index
        self.prev_idx = CUDA.index

    def __enter__(self) -> None:
        """Change nothing."""

    def __exit__(self, *_: object) -> None:
        """Change nothing back."""


def _accelerator(stack: ExitStack, device: Device) -> None:
    """Replace `torch.accelerator`, if torch has it."""
    accelerator: Any = getattr(torch, "accelerator", None)
    if accelerator is None:
        return
    answers = {"is_available": True, "device_count": COUNT, "current_accelerator": torch.device("cuda")}
    current = dict.fromkeys(("current_device_index", "current_device_idx"), CUDA.index)
    indices = {**current, "set_device_index": None, "set_device_idx": None}
    memory = {"memory_allocated": 0, "max_memory_allocated": 0, "memory_reserved": 0, "max_memory_reserved": 0}
    others = {"current_stream": torch.cuda.current_stream(), "set_stream": None, "reset_peak_memory_stats": None}
    for name, value in {**answers, **indices, **memory, **others}.items():
        _function(stack, accelerator, name, value)
    for name in ("synchronize", "empty_cache"):
        _waiting(stack, device, accelerator, name)


def _others(stack: ExitStack) -> None:
    replace(stack, torch, "Generator", _Generator)
    replace(stack, torch, "compile", _run_eagerly)
    replace(stack, torch.backends.cudnn, "is_acceptable", lambda tensor: False)  # its kernels would need a real GPU
    replace(stack, torch._C, "_group_tensors_by_device_and_dtype", _grouped)


class _IsGenerator(type(torch._C.Generator)):  # type: ignore[misc]
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, torch._C.Generator)


class _Generator(torch._C.Generator, metaclass=_IsGenerator):
    """A random number generator that claims to belong to the GPU."""

    _says: torch.device

    def __new__(cls, device: Any = "cpu") -> Any:
        """Create a CPU generator whatever the device."""
        generator = super().__new__(cls)
        generator._says = parse_device(device)
        return generator

    def __init__(self, device: Any = "cpu") -> None:
        """Do nothing: `__new__` has done everything."""

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        """The device it was made for."""
        found: torch.device = self._says
        return CUDA if found.type == "cuda" else found


def _run_eagerly(model: Any = None, **_: Any) -> Any:
    """Compile nothing: compiled code would not be seen."""
    return model if model is not None else lambda function: function


def _grouped(lists: list[list[Any]], with_indices: bool = False) -> dict[Any, Any]:
    """Return tensors grouped by device and dtype, as optimizers need them, telling simulated devices apart."""
    groups: dict[Any, tuple[list[list[Any]], list[int]]] = {}
    for index, first in enumerate(lists[0]):
        key = (CUDA if on_device(first) else first.device, first.dtype)
        columns, indices = groups.setdefault(key, ([[] for _ in lists], []))
        for column, values in zip(columns, lists, strict=True):
            if values:
                column.append(values[index])
        if with_indices:
            indices.append(index)
    return groups
