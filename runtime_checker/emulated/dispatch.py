"""Takes the place of CUDA's kernels in torch's dispatcher, for right values.

Each operator with a kernel of its own for CUDA is replaced, so that operators which C++ calls within others are reached
as well, and torch's own decisions stay what they are: a dispatch mode would change some.

Since torch 2.9 a kernel can be fetched, and is replaced at its own dispatch key. Before, the key `BackendSelect` is
used, which every call passes on its way to a kernel, those on the host as well: they pay for it.
"""

from __future__ import annotations

import functools
import re
import warnings
from typing import Any, Final

import torch

from . import checks, recurrent
from .attention import DECIDE_ONLY
from .values import Kernel, Operator, copy, numbers_as_tensors

_HOSTS_KEYS: Final = {"CUDA": "CPU", "SparseCUDA": "SparseCPU", "SparseCsrCUDA": "SparseCsrCPU"}
"""The dispatch keys whose kernels are replaced, and whose kernels compute instead."""
_MEMORY_ONLY: Final = re.compile(
    r"aten::(empty.*|new_empty.*|resize.*|set_.*|_local_scalar_dense|is_pinned|_pin_memory|record_stream|_reshape_alias"
    r"|_?sparse_\w*tensor.*|_coalesced_|copy_sparse_to_sparse_|_validate.*)$"
)
"""Operators that compute nothing: the memory is all there is to them, and it is right."""


def install() -> None:
    """Replace the kernels, for as long as the process lives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that kernels are replaced is the point
        if hasattr(torch.library, "get_kernel"):
            _replace()
        else:
            _intercept()
        _library("CUDA").impl(checks.NAME, "CUDA", checks.check, True)
        _library("AutocastCUDA").impl("aten::_cudnn_rnn", "AutocastCUDA", recurrent.cast_layers, True)
    # cuDNN is asked how it would lay out the weights of a recurrent layer, and there is none to answer.
    warnings.filterwarnings("ignore", "RNN module weights are not part of single contiguous chunk", UserWarning)


def _replace() -> None:
    for key in _HOSTS_KEYS:
        library = _library(key)
        for name, operator in _operators(key).items():
            original = torch.library.get_kernel(name, key).call_boxed
            library.impl(name, key, _replacement(operator, original, key), True)


def _intercept() -> None:
    library = _library("BackendSelect")
    below = torch._C._dispatch_keyset_full_after(torch._C.DispatchKey.BackendSelect)
    for name, operators in _by_name().items():
        has_one = torch._C._dispatch_has_kernel_for_dispatch_key(name, "BackendSelect")
        intercept = _maker(operators["CUDA"]) if has_one else _interceptor(operators, below)
        library.impl(name, "BackendSelect", intercept, True)


def _by_name() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for key in _HOSTS_KEYS:
        for name, operator in _operators(key).items():
            found.setdefault(name, {})[key] = operator
    return found


def _interceptor(operators: dict[str, Any], below: Any) -> Kernel:
    """Return a kernel that looks at each call of an operator: those of the device are computed, others pass."""
    operator = next(iter(operators.values()))

    def original(keys: Any, *args: Any, **named: Any) -> Any:
        return operator.redispatch(keys & below, *args, **named)

    mine = [
        (getattr(torch._C.DispatchKey, key), _replacement(operator, original, key) if key in operators else original)
        for key in reversed(_HOSTS_KEYS)  # a sparse tensor among dense ones decides
    ]

    def intercept(keys: Any, *args: Any, **named: Any) -> Any:
        args = tuple(numbers_as_tensors(operator, args))
        if keys.has(torch._C.DispatchKey.Meta):  # a tensor without values, as a compiler makes them
            return original(keys, *args, **named)
        for key, replacement in mine:
            if keys.has(key):
                return replacement(keys, *args, **named)
        return original(keys, *args, **named)

    return intercept


def _maker(operator: Any) -> Kernel:
    """Return a kernel that looks at each call of an operator without tensors: the device that is named decides."""

    def original(keys: Any, *args: Any, **named: Any) -> Any:
        device = torch.device(named.get("device") or "cpu")
        key = torch._C._dispatch_key_for_device(device.type)
        return operator.redispatch(torch._C.DispatchKeySet(torch._C._dispatch_key_parse(key)), *args, **named)

    mine = _replacement(operator, original, "CUDA")

    def intercept(keys: Any, *args: Any, **named: Any) -> Any:
        is_on_device = torch.device(named.get("device") or "cpu").type == "cuda"
        return (mine if is_on_device else original)(keys, *args, **named)

    return intercept


@functools.cache
def _library(key: str) -> Any:
    return torch._C._dispatch_library("IMPL", "aten", key, __file__, 0)


def _operators(key: str) -> dict[str, Any]:
    """The operators to replace: those that have a kernel of the key's, and write to tensors or return new ones."""
    found = {}
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
    names = [name for name in torch._C._dispatch_get_all_op_names() if has_kernel(name, key)]
    for name in [*names, *(["aten::copy_"] if key == "CUDA" else [])]:
        namespace, _, rest = name.partition("::")
        if namespace != "aten" or _MEMORY_ONLY.match(name) or name in DECIDE_ONLY:
            continue
        base, _, overload = rest.partition(".")
        operator = getattr(getattr(torch.ops.aten, base), overload or "default")
        if _computes(operator._schema) and (key == "CUDA" or not _writes(operator._schema)):
            found[name] = operator
    return found


def _writes(schema: Any) -> bool:
    return any(each.alias_info is not None and each.alias_info.is_write for each in schema.arguments)


def _computes(schema: Any) -> bool:
    """Whether an operator leaves values in tensors. One that returns views, or numbers, does not."""
    if schema.name == "aten::equal":  # compares by kernels that it does not call through the dispatcher
        return True
    return _writes(schema) or any("Tensor" in str(each.type) and each.alias_info is None for each in schema.returns)


def _replacement(operator: Any, original: Kernel, key: str) -> Kernel:
    """A function that takes the place of a kernel. The first argument is the set of dispatch keys."""
    if operator._schema.name == "aten::copy_":
        return functools.partial(copy, original)
    keys = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, _HOSTS_KEYS[key]))
    return Operator(operator, original, keys).__call__
