"""The façade for rules: operations, the values in them, and questions about both.

Rules import nothing else of inference. An operation says what happens, where and how often; its operands are values,
about which the functions here answer questions.
"""

from __future__ import annotations

from .inference.library.objects import as_tensor
from .inference.linking.transfers import Transfer, sureness, to_device
from .inference.notes.operations import Call, Compare, Convert, HostRead, Index, IndexWrite, Iterate, Truth
from .inference.values.containers import element
from .inference.values.joining import any_item
from .inference.values.lattice import Device
from .inference.values.tensors import as_device
from .inference.values.unfinished import pending
from .inference.values.union import (
    NONE,
    UNKNOWN,
    Batch,
    Class,
    DeviceRef,
    Function,
    Host,
    Instance,
    Module,
    Sequence,
    Tensor,
    Unknown,
    Value,
    options_of,
)
from .inference.views import distributions, loaders, metrics
from .inference.views.constructed import argument_of, is_absent, is_off, is_on, may_be_on
from .inference.views.tensors import (
    GPU_DEVICE,
    confidence_of,
    has_rank,
    have_one_rank,
    is_floating,
    is_integral,
    is_mask,
    is_number,
    is_position,
    is_scalar,
    is_scalar_position,
    is_seen_as_tensor,
    is_written_number,
    items_of,
    may_be_floating,
    may_be_mask,
    may_be_scalar,
    may_be_tensor,
    may_list_positions,
    on_gpu,
    on_host,
    tensor_on,
)

__all__ = [
    "GPU_DEVICE",
    "NONE",
    "UNKNOWN",
    "Batch",
    "Call",
    "Class",
    "Compare",
    "Convert",
    "Device",
    "DeviceRef",
    "Function",
    "Host",
    "HostRead",
    "Index",
    "IndexWrite",
    "Instance",
    "Iterate",
    "Module",
    "Sequence",
    "Tensor",
    "Transfer",
    "Truth",
    "Unknown",
    "Value",
    "any_item",
    "argument_of",
    "as_device",
    "as_tensor",
    "confidence_of",
    "distributions",
    "element",
    "has_rank",
    "have_one_rank",
    "is_absent",
    "is_floating",
    "is_integral",
    "is_mask",
    "is_number",
    "is_off",
    "is_on",
    "is_position",
    "is_scalar",
    "is_scalar_position",
    "is_seen_as_tensor",
    "is_written_number",
    "items_of",
    "loaders",
    "may_be_floating",
    "may_be_mask",
    "may_be_on",
    "may_be_scalar",
    "may_be_tensor",
    "may_list_positions",
    "metrics",
    "on_gpu",
    "on_host",
    "options_of",
    "pending",
    "sureness",
    "tensor_on",
    "to_device",
]
