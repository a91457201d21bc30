"""The old types of tensors, `torch.cuda.FloatTensor` and its kin: they construct, and tell what a tensor is."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, Final

import torch

from ..replacing import replace
from .device import CUDA, on_device

DTYPES: Final = {
    "FloatTensor": torch.float32,
    "DoubleTensor": torch.float64,
    "HalfTensor": torch.float16,
    "BFloat16Tensor": torch.bfloat16,
    "LongTensor": torch.int64,
    "IntTensor": torch.int32,
    "ShortTensor": torch.int16,
    "CharTensor": torch.int8,
    "ByteTensor": torch.uint8,
    "BoolTensor": torch.bool,
}
_PREFIX: Final = "torch.cuda."


class _OldType(type):
    """The type of these types: calling one makes a tensor that is not an instance of it by its class."""

    dtype: torch.dtype
    is_cuda = True
    is_sparse = False

    def __call__(cls, *args: Any, device: Any = None) -> Any:
        """Make a tensor: of the given sizes, or of the given values."""
        if len(args) == 1 and isinstance(args[0], torch.Tensor):
            return args[0]
        if len(args) == 1 and not isinstance(args[0], int | torch.Size):
            return torch.tensor(args[0], dtype=cls.dtype, device=CUDA)
        return torch.empty(*args, dtype=cls.dtype, device=CUDA)

    def __instancecheck__(cls, value: object) -> bool:
        return on_device(value) and isinstance(value, torch.Tensor) and value.dtype == cls.dtype


def install_types(stack: ExitStack) -> None:
    """Replace the types, and the way to make one of them the default, until the stack is closed."""
    for name, dtype in DTYPES.items():
        replace(stack, torch.cuda, name, _OldType(name, (), {"__module__": "torch.cuda", "dtype": dtype}))
    original = torch.set_default_tensor_type

    def set_default_tensor_type(wanted: Any) -> None:
        name = wanted if isinstance(wanted, str) else f"{wanted.__module__}.{wanted.__name__}"
        there = name.startswith(_PREFIX)
        if there:
            torch.set_default_dtype(DTYPES[name.removeprefix(_PREFIX)])
        else:
            original(wanted)
        torch.set_default_device(CUDA if there else None)

    replace(stack, torch, "set_default_tensor_type", set_default_tensor_type)
