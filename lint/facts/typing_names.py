"""Names in annotations and their meaning: host types, containers, tensors with a dtype.

Sources: Python 3.13 `typing`, `collections.abc` and `collections`; jaxtyping `_array_types.py`.
"""

from __future__ import annotations

import sys

from ..inference.values.lattice import ANY_DTYPE, BOOL, FLOAT, INT, UINT8
from .dtypes import TENSOR_CLASSES

HOST_TYPES = frozenset(("int", "float", "bool", "str", "bytes", "complex"))
"""Types whose values are plain host values."""

NUMBERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("numbers.Number", "numbers.Complex", "numbers.Real", "torch.types.Number"), ("int", "float")),
    **dict.fromkeys(("numbers.Rational", "numbers.Integral"), ("int",)),
}  # fmt: skip
"""Full names of the classes of numbers, which no tensor is -> the host types that are mostly meant.

Sources: Python 3.13 `numbers`, torch 2.13 `torch/types.py`.
"""

ITERABLES: dict[str, str] = {
    "list": "list", "List": "list", "Sequence": "list", "Iterable": "iter", "Iterator": "iter", "Collection": "list",
    "set": "set", "Set": "set", "Generator": "iter", "MutableSequence": "list", "deque": "list", "frozenset": "set",
}  # fmt: skip
"""Types with one parameter for all elements -> the kind of sequence."""

MAPPINGS = frozenset(("dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict"))
"""Types with one parameter for the keys and one for the values."""

WRAPPERS = frozenset(("Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly"))
"""Forms that say nothing about the value beyond their first parameter."""

FORMS = frozenset(
    f"{module}{name}"
    for module in ("", "typing.", "typing_extensions.", "collections.", "collections.abc.")
    for name in (*ITERABLES, *WRAPPERS, *MAPPINGS, "Union", "Optional", "tuple", "Tuple")
)
"""The special forms that other types are composed of, by full name."""

TYPED_DICTS = frozenset(("typing.TypedDict", "typing_extensions.TypedDict"))
"""Bases of the classes that describe dicts: their instances are plain dicts."""

VARIABLES = frozenset(
    f"{module}.{name}" for module in ("typing", "typing_extensions") for name in ("TypeVar", "NewType")
)
"""Functions that make a name for a type, or for one of several: `TypeVar("T", bound=Tensor)`."""

CONTAINERS: dict[str, str] = {
    "list": "list", "tuple": "tuple", "dict": "dict", "set": "set", "Sequence": "list", "Mapping": "dict",
    "Iterable": "list",
}  # fmt: skip
"""Classes that `isinstance` may test for -> the kind of sequence."""

JAXTYPING: dict[str, int] = {
    "Float": FLOAT, "Float16": FLOAT, "Float32": FLOAT, "Float64": FLOAT, "BFloat16": FLOAT, "Int": INT, "Int32": INT,
    "Int64": INT, "Integer": INT, "Bool": BOOL, "Shaped": ANY_DTYPE, "Num": ANY_DTYPE, "Inexact": FLOAT,
    "Real": ANY_DTYPE, "UInt8": UINT8,
}  # fmt: skip
"""Types of jaxtyping, as in `Float[Tensor, "batch time"]` -> the dtype."""

TENSORS: dict[str, int] = {
    **{f"torch.{name}": dtype for name, dtype in TENSOR_CLASSES.items() if name != "Tensor"},
    **{f"torch.cuda.{name}": dtype for name, dtype in TENSOR_CLASSES.items()},
    "torchtyping.TensorType": ANY_DTYPE,
}
"""Full names of torch's legacy tensor classes, and of torchtyping's type of all tensors -> the dtype."""

PARAMETERS = frozenset(("torch.nn.Parameter", "torch.nn.parameter.Parameter"))
"""Full names of the class of parameters. Source: torch 2.13 `torch.nn`."""

PLAIN_TENSORS = PARAMETERS | {"torch.Tensor", "torch.autograd.Variable"}
"""Full names of the classes that say nothing of a tensor's dtype. Source: torch 2.13."""

NO_ALIASES = sys.stdlib_module_names | {"torch", "numpy", "typing_extensions"}
"""Packages whose classes are what their names say. Source: Python 3.13, `sys.stdlib_module_names`."""

NO_PARENTS = frozenset(("typing.Generic", "typing.Protocol", "abc.ABC", "object"))
"""Base classes that define no methods of interest."""
