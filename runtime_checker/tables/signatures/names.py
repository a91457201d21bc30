"""Which names get a row, and which overloads belong to each of them."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch
import torch.distributed
import torch.nn.utils.rnn

from . import sources
from .sources import Overload

_FUNCTIONS = "_C/_VariableFunctions.pyi"
_C = "_C/__init__.pyi"

# Namespace -> (module, prefix of its operators in the schemas).
_MODULES: dict[str, tuple[ModuleType, str]] = {
    "torch": (torch, ""),
    "torch.nn.functional": (torch.nn.functional, ""),
    "torch.linalg": (torch.linalg, "linalg_"),
    "torch.fft": (torch.fft, "fft_"),
    "torch.special": (torch.special, "special_"),
    "torch.nn.init": (torch.nn.init, ""),
    "torch.nn.utils": (torch.nn.utils, ""),
    "torch.nn.utils.rnn": (torch.nn.utils.rnn, ""),
    "torch.distributed": (torch.distributed, ""),
}

# Public names that dispatch to an implementation and have no signature of their own.
_IMPLEMENTATION = {
    "torch.lu": "_lu_impl",
    "torch.unique": "_unique_impl",
    "torch.unique_consecutive": "_unique_consecutive_impl",
}

# Machinery that is visible in these namespaces but not part of PyTorch's public interface.
_MACHINERY = frozenset({
    "boolean_dispatch", "classproperty", "assert_int_or_pair", "handle_torch_function", "has_torch_function",
    "has_torch_function_unary", "has_torch_function_variadic", "merge_type_from_type_comment",
    "prepare_multiprocessing_environment", "breakpoint", "vmap", "cond", "while_loop",
    "NamedTuple", "bind", "copy_method_params", "profiler_allow_cudagraph_cupti_lazy_reinit_cuda12",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Subject:
    """One public name: what it is called, the object, and the ways to call it."""

    name: str
    target: Any
    overloads: tuple[Overload, ...]
    is_method: bool = False


def functions() -> Iterator[Subject]:
    """Yield the public functions of the covered modules."""
    for namespace, (module, prefix) in _MODULES.items():
        for name in sorted(vars(module)):
            target = getattr(module, name)
            if not name.startswith("_") and name not in _MACHINERY and _is_function(target):
                yield Subject(f"{namespace}.{name}", target, _function_overloads(namespace, name, prefix, target))


def _is_function(target: Any) -> bool:
    return callable(target) and (
        inspect.isroutine(target) or type(target).__name__ in ("_lru_cache_wrapper", "OpOverloadPacket")
    )


def _function_overloads(namespace: str, name: str, prefix: str, target: Any) -> tuple[Overload, ...]:
    operators = sources.schemas()
    schemas = operators.get(prefix + name) or operators.get(getattr(target, "__name__", ""), ())
    implementation = _IMPLEMENTATION.get(f"{namespace}.{name}")
    if implementation:
        return _from_python(getattr(torch.functional, implementation), schemas)
    functional = namespace == "torch.nn.functional"
    own = sources.stub("nn/functional.pyi").get(name) if functional else None
    if own is None and (namespace == "torch" or functional) and not inspect.isfunction(target):
        own = sources.stub(_FUNCTIONS).get(name) or sources.stub("_C/_nn.pyi").get(name)
    if own is None and namespace == "torch" and not inspect.isfunction(target):
        own = sources.stub(_C).get(name)
    if own:
        return own
    if inspect.isfunction(target):
        return _from_python(target, schemas)
    return schemas


def _from_python(target: Callable[..., Any], known: tuple[Overload, ...]) -> tuple[Overload, ...]:
    overload = sources.from_python(target, known)
    if overload is None:
        return known
    results = {item.result for item in known}
    if overload.result == "other" and len(results) == 1:
        overload = Overload(overload.items, results.pop())
    return (overload,)


def methods() -> Iterator[Subject]:
    """Yield the public methods of `torch.Tensor`."""
    stubs = sources.stub(_C, "TensorBase")
    for name in sorted(dir(torch.Tensor)):
        target = getattr(torch.Tensor, name)
        if name.startswith("_") or not inspect.isroutine(inspect.getattr_static(torch.Tensor, name)):
            continue
        overloads = stubs.get(name) or _method_overloads(name, target)
        yield Subject(f"torch.Tensor.{name}", target, overloads, is_method=True)


def _method_overloads(name: str, target: Callable[..., Any]) -> tuple[Overload, ...]:
    """Return the overloads of the function of the same name; methods written in Python are often unannotated."""
    function = getattr(torch, name, None)
    if _is_function(function):
        known = _function_overloads("torch", name, "", function)
    else:
        known = sources.schemas().get(name, ())
    found = _from_python(target, known) if inspect.isfunction(target) else known
    return tuple(overload.without_first() for overload in found)


def properties() -> Iterator[tuple[str, str]]:
    """Yield the public properties of `torch.Tensor` with the result word of reading them."""
    declared = sources.stub_attributes(_C, "TensorBase")
    for name in sorted(dir(torch.Tensor)):
        if not name.startswith("_") and not inspect.isroutine(inspect.getattr_static(torch.Tensor, name)):
            yield f"torch.Tensor.{name}", declared.get(name) or _result_of_value(name)


def _result_of_value(name: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = getattr(torch.zeros(2, 2), name)
    except (RuntimeError, AttributeError, NotImplementedError):
        return "other"
    words: dict[type, str] = {bool: "bool", int: "int", str: "str", torch.Tensor: "tensor", torch.Size: "size"}
    return words.get(type(value), "other")


def layers() -> Iterator[Subject]:
    """Yield the classes of `torch.nn`; the overload is the one of `forward`."""
    for name in sorted(vars(torch.nn)):
        target = getattr(torch.nn, name)
        if isinstance(target, type) and issubclass(target, torch.nn.Module) and not name.startswith("_"):
            forward = sources.from_python(target.forward)
            overloads = (forward.without_first(),) if forward and forward.items[:1] and _has_forward(target) else ()
            yield Subject(f"torch.nn.{name}", target, overloads)


def _has_forward(target: type[torch.nn.Module]) -> bool:
    return target.forward is not torch.nn.Module.forward
