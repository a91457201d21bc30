"""Names of devices. Source: torch 2.13 `torch/_C/__init__.pyi` (`device`) and `c10/core/DeviceType.cpp`."""

from __future__ import annotations

GPU_NAMES = ("cuda", "hip", "mps", "xpu", "npu", "hpu")
"""Beginnings of the names of devices that work on their own while the host goes on."""

TEXT_DEVICES = ("cuda", "cpu", "mps", "xpu", "npu", "hpu")
"""Beginnings of an f-string that names a device, such as `f"cuda:{rank}"`."""

DEFAULT_SETTERS = frozenset(("torch.set_default_device", "torch.set_default_tensor_type"))
"""Functions that set the device where tensors are made that are given none."""

FOLLOWING_DEFAULT = frozenset(("torch.tensor", "torch.as_tensor", "torch.asarray"))
"""Functions that make tensors of data there, besides the factories. Source: torch 2.13 `torch/utils/_device.py`."""
