"""What the CUDA runtime, the allocator and the driver answer about a device that has no memory of its own."""

from __future__ import annotations

import pickle
from collections import defaultdict
from contextlib import ExitStack
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import torch

from ..replacing import replace
from .device import CPU, CUDA, NAME

if TYPE_CHECKING:
    from .device import Device

CAPABILITY: Final = (9, 0)
MEMORY: Final = 80 * 2**30
PROPERTIES: Final = SimpleNamespace(
    name=NAME,
    major=CAPABILITY[0],
    minor=CAPABILITY[1],
    total_memory=MEMORY,
    multi_processor_count=132,
    warp_size=32,
    max_threads_per_block=1024,
    max_threads_per_multi_processor=2048,
    regs_per_multiprocessor=65536,
    shared_memory_per_block=48 * 2**10,
    shared_memory_per_block_optin=227 * 2**10,
    shared_memory_per_multiprocessor=228 * 2**10,
    L2_cache_size=50 * 2**20,
    clock_rate=1_980_000,
    memory_clock_rate=2_619_000,
    memory_bus_width=5120,
    is_integrated=0,
    is_multi_gpu_board=0,
    gcnArchName="",
    uuid="00000000-0000-0000-0000-000000000000",
    pci_bus_id=0,
    pci_device_id=0,
    pci_domain_id=0,
)
_SNAPSHOT: Final = ("segments", "device_traces", "external_annotations")


def install_runtime(stack: ExitStack, device: Device) -> None:
    """Replace everything until the stack is closed."""
    answers: dict[str, Any] = {
        "_cuda_record_memory_history": None,
        "_cuda_record_memory_history_legacy": None,
        "_cuda_sleep": None,
        "_cuda_canDeviceAccessPeer": True,
        "_cuda_getMemoryFraction": 1.0,
        "_cuda_memorySnapshot": {**{name: [] for name in _SNAPSHOT}, "allocator_settings": {}},
    }
    for name, value in answers.items():
        replace(stack, torch._C, name, lambda *_, _value=value, **__: _value)
    for name, new in {
        "get_device_properties": lambda device=None: PROPERTIES,
        "memory_stats": lambda device=None: defaultdict(int),
        "cudart": lambda: _Runtime(),
        "check_error": lambda code: None,
        "default_generators": (torch.Generator(CUDA),),
    }.items():
        replace(stack, torch.cuda, name, new)
    for name in ("cudart", "check_error"):
        replace(stack, torch.cuda.profiler, name, getattr(torch.cuda, name))
    replace(stack, torch.cuda.memory, "_dump_snapshot", _dump)
    _debug_mode(stack, device)
    _copies_between_devices(stack)
    _profiler(stack)


class _Runtime:
    """The library of the CUDA runtime, in which every call succeeds."""

    cudaError = SimpleNamespace(success=0)  # noqa: N815

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: 0


def _dump(filename: str = "dump_snapshot.pickle", **_: Any) -> None:
    with open(filename, "wb") as file:
        pickle.dump(torch.cuda.memory._snapshot(), file)


def _debug_mode(stack: ExitStack, device: Device) -> None:
    """Let the program itself ask to be warned of waits, or stopped at them."""
    names = {"default": 0, "warn": 1, "error": 2}

    def set_mode(mode: int | str) -> None:
        if mode not in names and mode not in names.values():
            raise RuntimeError("invalid value of debug_mode, expected one of `default`, `warn`, `error`")
        device.debug_mode = names[mode] if isinstance(mode, str) else mode

    replace(stack, torch.cuda, "set_sync_debug_mode", set_mode)
    replace(stack, torch.cuda, "get_sync_debug_mode", lambda: device.debug_mode)


def _copies_between_devices(stack: ExitStack) -> None:
    """Let `nn.DataParallel` scatter to the only device there is, and gather from it."""

    def scatter(tensor: Any, devices: Any, sizes: Any = None, dim: int = 0, streams: Any = None) -> list[Any]:
        parts = tensor.split(sizes, dim) if sizes else tensor.chunk(len(devices), dim)
        return [part.to(CUDA, non_blocking=True) for part in parts]

    def broadcast(tensor: Any, devices: Any) -> list[Any]:
        return [tensor.to(CUDA, non_blocking=True)] * len(devices)

    def coalesced(tensors: Any, devices: Any, size: int = 0) -> list[list[Any]]:
        return [list(tensors) for _ in devices]

    def gather(tensors: Any, dim: int, destination: Any = None) -> Any:
        joined = torch.cat(list(tensors), dim)
        return joined.to(CPU) if destination == -1 else joined

    for name, new in {
        "_scatter": scatter,
        "_broadcast": broadcast,
        "_broadcast_coalesced": coalesced,
        "_gather": gather,
    }.items():
        replace(stack, torch._C, name, new)


def _profiler(stack: ExitStack) -> None:
    """Let torch's profiler watch the host only: it would tell of each operator that there is no CUDA."""
    profiler: Any = torch.autograd.profiler
    state = profiler.ProfilerState
    only_host = {name: getattr(state, name) for name in dir(state) if name.isupper()}
    fallback = SimpleNamespace(**{**only_host, "KINETO_GPU_FALLBACK": state.KINETO})
    replace(stack, profiler, "ProfilerState", fallback)
