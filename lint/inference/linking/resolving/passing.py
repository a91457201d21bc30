"""What calls pass for parameters, what a parameter is if no call tells, and what a call returns as promised."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import ge, gt, le, lt
from typing import Any, Final

from ....facts.dtypes import DTYPES
from ...notes.summary import CallSite, FunctionSummary
from ...often.local import IS, IS_NOT
from ...values.arguments import Keywords
from ...values.certainty import OBJECT
from ...values.joining import join_all
from ...values.lattice import HOST, HOST_BY_DEFAULT, SCALAR
from ...values.tensors import as_device, stored
from ...values.union import (
    NONE,
    UNKNOWN,
    Batch,
    Class,
    Deferred,
    DeviceRef,
    Function,
    Host,
    Instance,
    Module,
    Sequence,
    Tensor,
    Value,
    options_of,
)
from ..index.handed_on import bound
from ..index.noted_index import NotedIndex

COMPARED: Final[Mapping[str, Callable[[Any, float], bool]]] = {">": gt, ">=": ge, "<": lt, "<=": le}


def all_bound(function: FunctionSummary, positional: tuple[Value, ...], keywords: Keywords) -> dict[Deferred, Value]:
    """Return what the questions for a function's parameters are in one call."""
    passed = bound(function, positional, keywords)
    return {term: _passed_or_default(function, name, passed) for name, term in function.terms.items()}


def _passed_or_default(function: FunctionSummary, name: str, passed: dict[str, Value]) -> Value:
    if (value := passed.get(name)) is not None:
        return stored(value)
    default = function.defaults.get(name)
    return unasked(function, name) if default is None else default


def may_be(value: Value, wanted: str) -> bool:
    """Whether a value may be `None`, `given`, `true`, `false`, a constant, another one, or a number beyond one."""
    sign, _, limit = wanted.partition(" ")
    if sign in COMPARED:
        constant = value.constant if isinstance(value, Host) else ...
        return not isinstance(constant, int | float) or COMPARED[sign](constant, float(limit))
    if wanted[0] in (IS, IS_NOT):
        if not isinstance(value, Host) or value.constant is ...:
            return True
        return (repr(value.constant) == wanted[1:]) is (wanted[0] == IS)
    if value == NONE:
        return wanted in ("None", "false")
    if isinstance(value, Sequence) and value.kind == "tuple" and value.items == () and wanted == "true":
        return False
    if isinstance(value, Host) and wanted != "None":
        return value.constant is ... or wanted == "given" or bool(value.constant) is (wanted == "true")
    is_known = isinstance(value, Tensor | Batch | Sequence | Instance) or (isinstance(value, Host) and value != OBJECT)
    return not (is_known and wanted == "None")


def unasked(function: FunctionSummary, name: str) -> Value:
    """Return what a parameter is when no caller is known: as declared, else of the default's kind, or that function."""
    declared = function.declared.get(name, UNKNOWN)
    default = function.defaults.get(name, UNKNOWN)
    if isinstance(default, Function | Module | Class) and declared is UNKNOWN:
        return default
    if _is_host(default, declared):
        return DeviceRef(HOST_BY_DEFAULT)
    if declared is UNKNOWN and isinstance(default, Host) and default != NONE:
        return Host(default.kind)
    return declared


def is_number(function: FunctionSummary, name: str) -> bool:
    """Whether a parameter is, as it is declared or by its default, a number: how it is used says more."""
    return any(isinstance(each, Host) and each.kind in ("int", "float") for each in options_of(unasked(function, name)))


def fulfilled(found: Value, promised: Value) -> Value:
    """Return what a function returns: what its body shows, and what is promised if that shows nothing."""
    match found, promised:
        case Sequence("tuple", tuple(items)), Sequence("tuple", tuple(wanted)) if len(items) == len(wanted):
            return Sequence("tuple", tuple(map(fulfilled, items, wanted)))
    if found == NONE:
        return found if NONE in options_of(promised) else promised
    is_open = promised is not UNKNOWN and all(option in (UNKNOWN, NONE) for option in options_of(found))
    return promised if is_open else found


def as_declared(value: Value, declared: Value, default: Value) -> Value:
    """Return what callers pass for a parameter declared as a number: a tensor is then zero-dimensional.

    None is believed only if the declaration or the default allows it: lists of numbers start as lists of None. A host
    value about which nothing more is known tells nothing, so that the declaration does.
    """
    numbers = [option for option in options_of(declared) if option != NONE]
    if not numbers or not all(isinstance(each, Host) and each.kind in ("int", "float", "bool") for each in numbers):
        return value
    ignored = [OBJECT] if NONE in (*options_of(declared), default) else [OBJECT, NONE]
    given = [option for option in options_of(value) if option not in ignored]
    if not given:
        return declared if value == OBJECT else value
    return join_all(map(_number, given))


def tries(call: CallSite) -> bool:
    """Whether a call is one that a script makes once, at its top."""
    return call.caller.endswith(":") and call.local.level is None and not call.local.repeats


def is_made_elsewhere(function: FunctionSummary, index: NotedIndex) -> bool:
    """Whether a function is what runs in a module that others may make, and move to a device, than are seen to."""
    cls, _, last = function.name.rpartition(".")
    if last != "forward" or not index.is_defined(cls) or index.kind(cls) != "module":
        return False
    return bool(index.sites_of(f"{cls}.__init__")) and not index.made_at(cls)


def is_host_for(calls: Iterable[CallSite], function: FunctionSummary, name: str) -> bool:
    """Whether each call itself says that a parameter without a default is the CPU."""
    given = [bound(function, call.positional, call.keywords).get(name, UNKNOWN) for call in calls]
    return name not in function.defaults and all(
        value.device.on_cpu if isinstance(value, DeviceRef) else value == Host("str", "cpu") for value in given
    )


def _number(value: Value) -> Value:
    """Return a value that is assumed to be a number: for a tensor, or a container of tensors, its only number."""
    match value:
        case Tensor() if value.rank & SCALAR:
            return replace(value, rank=SCALAR)
        case Batch():
            return Tensor(value.device, rank=SCALAR, memory=value.memory)
    return value


def opened(value: Value, function: FunctionSummary, declared: Value, in_program: bool) -> Value:
    """Return what the callers seen here pass, for a function that others may call with their own tensor or device.

    Nobody else calls those of a program with tensors.
    """
    if function.name.rpartition(".")[2].startswith("_") and not function.name.endswith("__"):
        return value
    return join_all(_opened(option, declared, in_program) for option in options_of(value))


def _opened(value: Value, declared: Value, in_program: bool) -> Value:
    if _is_host(value, declared):
        return DeviceRef(HOST_BY_DEFAULT)
    if isinstance(value, Host) and isinstance(value.constant, str) and as_device(value) in (None, HOST):
        return value if value.constant in DTYPES else Host("str")
    if in_program or not isinstance(value, Tensor) or not value.device.on_cpu:
        return value
    return next((option for option in options_of(declared) if type(option) is type(value)), value)


def _is_host(value: Value, declared: Value) -> bool:
    """Whether the value is the CPU, as a device or as the name of one for what is declared a device."""
    if isinstance(value, DeviceRef):
        return value.device.on_cpu
    is_device = any(isinstance(option, DeviceRef) for option in options_of(declared))
    return is_device and isinstance(value, Host) and value.kind == "str" and as_device(value) == HOST
