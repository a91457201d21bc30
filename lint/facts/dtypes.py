"""Names of torch's dtypes, and of the methods and legacy classes that create tensors of one.

Source: torch 2.13 `torch/_C/__init__.pyi`, `torch/__init__.py` (`_tensor_classes`).
"""

from __future__ import annotations

from ..inference.values.lattice import BOOL, COMPLEX, FLOAT, INT, UINT8

DTYPES: dict[str, int] = {
    "float": FLOAT, "float16": FLOAT, "float32": FLOAT, "float64": FLOAT, "half": FLOAT, "double": FLOAT,
    "bfloat16": FLOAT, "bool": BOOL, "uint8": UINT8, "int": INT, "int8": INT, "int16": INT, "int32": INT,
    "int64": INT, "long": INT, "short": INT, "complex64": COMPLEX, "complex128": COMPLEX, "cfloat": COMPLEX,
    "float8_e4m3fn": FLOAT, "float8_e5m2": FLOAT,
}  # fmt: skip
"""Names in `torch` that are dtypes."""

CASTS: dict[str, int] = {
    "float": FLOAT, "double": FLOAT, "half": FLOAT, "bfloat16": FLOAT, "long": INT, "int": INT, "short": INT,
    "char": INT, "byte": UINT8, "bool": BOOL,
}  # fmt: skip
"""Tensor methods that change the dtype."""

TENSOR_CLASSES: dict[str, int] = {
    "FloatTensor": FLOAT, "DoubleTensor": FLOAT, "HalfTensor": FLOAT, "BFloat16Tensor": FLOAT, "LongTensor": INT,
    "IntTensor": INT, "ShortTensor": INT, "CharTensor": INT, "ByteTensor": UINT8, "BoolTensor": BOOL,
    "Tensor": FLOAT,
}  # fmt: skip
"""Classes in `torch` and `torch.cuda` whose constructors create a tensor of one dtype."""

TYPED_CLASSES = frozenset(TENSOR_CLASSES) - {"Tensor"}
"""Of those, the names that only tensor classes have, wherever they are found."""


def counterparts(name: str) -> tuple[str, ...]:
    """Return what programs use on the host in place of a class in `torch.cuda`, or of that module for its classes."""
    if name == "torch.cuda":
        return ("torch",)
    last = name.removeprefix("torch.cuda.")
    if last == name or last not in TYPED_CLASSES:
        return ()
    return (f"torch.{last}", "torch.Tensor") if last == "FloatTensor" else (f"torch.{last}",)
