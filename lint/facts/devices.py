"""Names of devices. Source: torch 2.13 `torch/_C/__init__.pyi` (`device`) and `c10/core/DeviceType.cpp`."""

from __future__ import annotations

GPU_NAMES = ("cuda", "hip", "mps", "xpu", "npu", "hpu")
"""Prefixes of the names of devices that run asynchronously to the host."""

TEXT_DEVICES = ("cuda", "cpu", "mps", "xpu", "npu", "hpu")
"""Prefixes of an f-string that names a device, such as `f"cuda:{rank}"`."""

TYPES = frozenset((
    *GPU_NAMES, "cpu", "meta", "ve", "vulkan", "ipu", "xla", "lazy", "fpga", "maia", "mtia", "mkldnn", "opengl",
    "opencl", "ideep", "privateuseone", "mlu", "musa", "sdaa",
))  # fmt: skip
"""Types of devices: what a text names before its `:`, or it names no device."""

DEFAULT_TYPE = "set_default_tensor_type"
DEFAULT_SETTERS = frozenset(("torch.set_default_device", f"torch.{DEFAULT_TYPE}"))
"""Functions that set the device on which tensors are created by default."""

FOLLOWING_DEFAULT = frozenset(("torch.tensor", "torch.as_tensor", "torch.asarray"))
"""Functions besides the factories that create tensors from data there. Source: torch 2.13 `torch/utils/_device.py`."""
