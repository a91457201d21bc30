"""The values of attributes: a view, a size, a bound method, or a question."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Collection
from math import isfinite

from ...facts import attributes as facts
from ...facts import distributions, dtypes, host, libraries, modules
from ...facts.signatures import lookup, public_tensor_methods
from ...facts.typing_names import PLAIN_TENSORS
from ..values.joining import any_item, join_all
from ..values.lattice import ANY_DTYPE, ARRAY, OPEN
from ..values.ops import Op
from ..values.suggestion import suggested
from ..values.tensors import type_of
from ..values.union import (
    PACKED,
    UNKNOWN,
    Batch,
    Class,
    Deferred,
    DeviceRef,
    DTypeRef,
    Function,
    Host,
    Instance,
    Module,
    OneOf,
    Sequence,
    Tensor,
    Value,
    defer,
    is_none,
    options_of,
)
from . import accelerators, loaded_models, named_tuples
from .collating import given
from .command_lines import of_options
from .method_names import no_array_methods
from .objects import PARAM_GROUPS, of_parameters
from .world import Program

TENSOR_METHODS = "torch.Tensor."


def attribute(value: Value, name: str, program: Program) -> Value:
    """Return the value of `value.name`."""
    match value:
        case Tensor():
            return _of_tensor(value, name)
        case Batch():
            return _of_batch(value, name)
        case Module():
            return of_module(value, name)
        case Class():
            return Module(f"{value.name}.{name}")
        case Instance():
            return _of_instance(value, name, program)
        case Deferred():
            return defer(Op.ATTRIBUTE, name, (value,))
        case OneOf():
            return join_all(attribute(option, name, program) for option in with_attribute(value, name, program))
        case Host():
            return _of_host(value, name)
        case Sequence():
            return _of_sequence(value, name)
        case DTypeRef() | DeviceRef():
            return _of_reference(value, name)
        case Function():
            return Module(f"{value.name}.{name}") if value.receiver is None else UNKNOWN
    return suggested(name)


def with_attribute(value: Value, name: str, program: Program) -> list[Value]:
    """Return what a value may be that has an attribute; what may be a tensor, or something unknown, has its shape."""
    options = [each for each in options_of(value) if not (is_none(each) or _is_array_without(each, name))]
    has_shape = name in ("shape", "ndim") and any(isinstance(each, Tensor | Batch) for each in options)
    shaped = [each for each in options if not (has_shape and (each is UNKNOWN or isinstance(each, Deferred)))]
    return _beside_modules(shaped, name, program)


def _beside_modules(options: list[Value], name: str, program: Program) -> list[Value]:
    """Return what a value may be; what was moved, and may be a module as well, has no tensors for its attributes."""
    moved = [each for each in options if isinstance(each, Batch) and _of_batch(each, name) is each]
    if not moved or not any(_is_module(each, program) for each in options):
        return options
    return [UNKNOWN if each in moved else each for each in options]


def _is_module(value: Value, program: Program) -> bool:
    return isinstance(value, Instance) and program.kind(value.cls) in libraries.MODULE_KINDS


def _of_reference(value: DTypeRef | DeviceRef, name: str) -> Value:
    if name == "type" and isinstance(value, DeviceRef):
        return type_of(value)
    return Host("bool" if name.startswith("is_") else "object")


def _of_tensor(value: Tensor, name: str) -> Value:
    if kind := facts.TENSOR_HOST.get(name):
        return Host(kind)
    if name == "device":
        return DeviceRef(value.device, is_object=True)
    if name == "dtype":
        return DTypeRef(value.dtype)
    if name in facts.TENSOR_VIEWS:
        return Tensor(value.device, value.dtype, value.rank, value.memory)
    if name in public_tensor_methods() or name in facts.NESTED_SIZES or name in ("xpu", "new"):
        return Function(TENSOR_METHODS + name, value)
    return UNKNOWN


def _of_batch(value: Batch, name: str) -> Value:
    if name in facts.CONTAINER_METHODS:
        return Function(f"batch.{name}", value)
    if name in facts.GRAPH_NUMBERS:
        return Host("int")
    if kind := facts.TENSOR_HOST.get(name):
        return Host(kind) if name not in ("names", "name") else value
    if name == "device":
        return DeviceRef(value.device, is_object=True)
    if name == "dtype":
        return DTypeRef(ANY_DTYPE)
    if name in facts.TENSOR_VIEWS:
        is_tensor = name in facts.TRANSPOSED and not value.named and not value.device.on_cpu
        return Tensor(value.device, memory=value.memory, by_use=f"tensors have a `.{name}`") if is_tensor else value
    if name in public_tensor_methods():
        return Function(TENSOR_METHODS + name, value)
    return Host("object") if name in facts.OF_ARRAYS_AND_FRAMES or name in modules.NO_TENSORS else value


def of_module(value: Module, name: str) -> Value:
    """Return what a module binds to a name: a dtype, a number, or whatever has that full name."""
    full = f"{value.name}.{name}"
    if value.name == "torch" and name in dtypes.DTYPES:
        return DTypeRef(dtypes.DTYPES[name])
    if full in host.CONSTANTS:
        return Host("float", number) if isfinite(number := host.CONSTANTS[full]) else Host("float")
    return Module(libraries.CANONICAL.get(full, full))


def _of_instance(value: Instance, name: str, program: Program) -> Value:
    """Return an attribute of an object: what the program says, else what its library class gives it."""
    if program.owns(value.cls):
        if (found := program.member(value, name)) is not None:
            return found
        found = _inherited(value, name, program)
    else:
        found = _of_library(value, name, libraries.class_kind(value.cls), program)
    return program.missing(value, name) if found is None else found


def _of_library(value: Instance, name: str, kind: str | None, program: Program) -> Value | None:
    """Return an attribute of an instance of a library's class; None if nothing is known about the class."""
    if kind is None:
        return None
    if kind == "dataset" and name in ("data", "targets"):
        return UNKNOWN
    if kind == "module" and name in modules.TENSORS:
        return Tensor(value.device or OPEN, rank=ARRAY)
    if kind == "distribution":
        return _of_distribution(value, name)
    if kind == "loaded model":
        return loaded_models.attribute_of(value, name, program)
    return _of_kind(value, name, kind) or Function(f"{value.cls}.{name}", value)


def _inherited(value: Instance, name: str, program: Program) -> Value | None:
    """Return what an object of the program inherits from the library's class that its own is derived from."""
    kind = program.kind(value.cls)
    if kind in libraries.MODULE_KINDS and name in modules.METHODS:
        return Function(f"torch.nn.Module.{name}", value)
    if kind is not None and (found := _of_kind(value, name, kind)) is not None:
        return found
    if kind == "metric" or (kind == "distribution" and name in distributions.SAMPLES):
        return Function(f"{program.library_base(value.cls)}.{name}", value)
    if kind is None and program.library_base(value.cls) in PLAIN_TENSORS:
        return _of_tensor(Tensor(value.device or OPEN), name)
    return Function(f"{kind}.{name}", value) if kind == "optimizer" or f"{kind}.{name}" in facts.INHERITED else None


def _of_kind(value: Instance, name: str, kind: str) -> Value | None:
    """Return what all objects of a kind hold in an attribute."""
    if kind == "optimizer" and name == "param_groups":
        return PARAM_GROUPS
    if kind == "accelerator":
        return accelerators.attribute_of(value, name)
    if kind == "options":
        return of_options(name)
    if kind == "dataloader" and name == "dataset":
        return given(value, name)
    if name == "device" and (kind == "metric" or kind in libraries.MODULE_KINDS):
        return DeviceRef(value.device or OPEN, is_object=True)
    return None


def _of_distribution(value: Instance, name: str) -> Value:
    """Return a parameter or moment of a distribution, or a method."""
    if name in distributions.TENSORS:
        return of_parameters(value, name)
    is_method = name in distributions.SAMPLES or name in distributions.METHODS or name in ("expand", "__init__")
    return Function(f"{value.cls}.{name}", value) if is_method else UNKNOWN


def _of_sequence(value: Sequence, name: str) -> Value:
    """Return a field of a named tuple, or of one that torch returns, or a method of a list, tuple or dict."""
    if (field := named_tuples.item(value, name)) is not None:
        return field
    if value.kind == "dict" and value.items and name in value.keys and name not in SEQUENCE_METHODS:
        return value.items[value.keys.index(name)]  # of a dict whose items are attributes
    at = facts.TUPLE_FIELDS.get(name)
    if at is not None and value.kind in ("tuple", PACKED) and value.items is not None and at < len(value.items):
        return value.items[at]
    is_own = (bool(value.keys) and name == "_replace") or (value.kind == PACKED and name in facts.MOVES)
    return Function(f"{value.kind}.{name}", value) if is_own or name in SEQUENCE_METHODS else UNKNOWN


SEQUENCE_METHODS = frozenset(
    name for kind in (list, tuple, dict, set, deque, OrderedDict, defaultdict, Counter) for name in dir(kind)
)
"""Attributes of Python's own containers; a value with another attribute is none of them."""

SCALARS: dict[str, type] = {"int": int, "float": float, "bool": bool, "str": str, "bytes": bytes, "complex": complex}
CONTAINERS: dict[str, type] = {"list": list, "tuple": tuple, "dict": dict}
"""Kinds of values -> the classes whose methods they have."""


def having(value: Value, name: str) -> Value:
    """Return the value without the alternatives that lack a method, which calling it rules out.

    `loss = 0`, a loop that adds tensors, `loss.item()`: an int has no `item`; an array that may be a tensor, no `cpu`;
    what is moved and seems to be a list of batches is one of them.
    """
    left = [option for option in options_of(value) if not _lacks(option, name)]
    if not left and name in facts.MOVES:
        left = [any_item(option) for option in options_of(value) if isinstance(option, Sequence)]
    return join_all(left)


def taking(value: Value, method: str, positional_count: int, keywords: Collection[str]) -> Value:
    """Return the value without what may be a tensor or another object, where a tensor's method takes no such arguments.

    `self.stft.inverse(magnitude, phase)` inverts no matrix, and `self.codec.split(x, by="channel")` splits no tensor.
    """
    signature = None if method in facts.MOVES else lookup(TENSOR_METHODS + method)
    if signature is None or signature.takes(positional_count, keywords):
        return value
    return join_all(option for option in options_of(value) if not isinstance(option, Batch))


def _is_array_without(value: Value, name: str) -> bool:
    return isinstance(value, Host) and value.kind == "ndarray" and _lacks(value, name)


def _lacks(value: Value, name: str) -> bool:
    match value:
        case Host("ndarray"):
            return name in no_array_methods()
        case Host(kind):
            return kind in SCALARS and not hasattr(SCALARS[kind], name)
        case Sequence(kind):
            return kind in CONTAINERS and not hasattr(CONTAINERS[kind], name)
    return is_none(value)


def _of_host(value: Host, name: str) -> Value:
    if value.kind == "ndarray":
        return Host("Size" if name == "shape" else "object" if name in host.ARRAY_NUMBERS else "ndarray")
    if value.kind in host.LIMITS:
        return Host(host.LIMITS[value.kind])
    if (scalar := SCALARS.get(value.kind)) is not None:
        return Host("object") if hasattr(scalar, name) else UNKNOWN
    if value.kind == "object" and (found := suggested(name)) is not UNKNOWN:
        return found
    return Host("object") if value.kind in ("object", "Size", "range") else UNKNOWN
