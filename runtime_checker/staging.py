"""Which copies between host and device go straight through pinned memory. Pure: only shapes, strides and dtypes.

Elsewhere torch copies by way of a temporary of the host, which is pageable, so the driver stages it and the host waits.
A copy that is asked not to wait converts on the device, so another dtype alone takes no temporary. Source: torch 2.6 to
2.15, ATen/native/cuda/Copy.cu.
"""

from __future__ import annotations

from typing import Any


def is_direct(host: Any, device: Any) -> bool:
    """Whether a copy that does not wait reads or writes the host's tensor itself, given the two sides of the copy."""
    if host.is_contiguous():
        return True
    return host.dtype == device.dtype and host.stride() == device.stride() and is_dense(host)


def is_dense(tensor: Any) -> bool:
    """Whether the elements are in memory without gaps, in any order of dimensions."""
    expected = 1
    for stride, size in sorted(zip(tensor.stride(), tensor.shape, strict=True)):
        if size != 1:
            if stride != expected:
                return False
            expected *= size
    return True
