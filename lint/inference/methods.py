"""What methods of containers and of library objects return: lists, dicts, batches, modules, loaders, metrics."""

from __future__ import annotations

from ..facts import libraries
from .lattice import ANY_MEMORY, ARRAY, CPU, FLOAT, GPU, HOST, OPEN, PINNED, Device
from .results import Arguments
from .tensors import as_device, common_device, element, operands_of
from .values import (
    NONE,
    UNKNOWN,
    Batch,
    Host,
    Instance,
    Sequence,
    Tensor,
    Value,
    join,
    join_all,
    on_device,
)

SELF_METHODS = frozenset((
    "to", "cuda", "cpu", "eval", "train", "half", "float", "double", "bfloat16", "requires_grad_", "apply", "share_memory",
    "compile", "xpu", "to_empty", "type",
))  # fmt: skip
"""Methods of modules that return the module."""
MODULE_METHODS = SELF_METHODS | frozenset((
    "parameters", "buffers", "named_parameters", "named_buffers", "state_dict", "modules", "children", "named_modules",
    "named_children", "get_submodule", "extra_repr", "zero_grad", "load_state_dict", "register_buffer", "add_module",
    "register_parameter", "add_state",
))  # fmt: skip
"""Methods of torch.nn.Module whose results are known."""


def of_sequence(value: Sequence, name: str, arguments: Arguments) -> Value:
    """What a method of a list, tuple or dict returns."""
    each = value.any_item()
    if value.kind == "dict":
        match name:
            case "items":
                return Sequence("iter", None, Sequence("tuple", (Host("str"), each)))
            case "values":
                return Sequence("iter", None, each)
            case "keys":
                return Sequence("iter", None, Host("str"))
            case "get" | "pop" | "setdefault":
                return _item_of_dict(value, arguments)
            case "copy":
                return value
    if name == "copy":
        return value
    if name in ("pop", "popleft"):
        return each
    return Host("int") if name in ("index", "count") else NONE if name in ("append", "extend") else UNKNOWN


def _item_of_dict(value: Sequence, arguments: Arguments) -> Value:
    match arguments.positional:
        case (Host("str", str() as key), *_) if value.items is not None and key in value.keys:
            return value.items[value.keys.index(key)]
        case (_, default):
            return join(value.any_item(), default)
    return value.any_item()


def added_to(value: Sequence, name: str, arguments: Arguments) -> Sequence | None:
    """The list after `append`, `extend`, `insert`, `add` or `update`; None where the method adds nothing."""
    if name in ("append", "add", "appendleft") and arguments.positional:
        new = arguments.positional[0]
    elif name == "insert" and len(arguments.positional) > 1:
        new = arguments.positional[1]
    elif name in ("extend", "update") and arguments.positional and value.kind != "dict":
        new = element(arguments.positional[0])
    else:
        return None
    known = [value.any_item()] if value.items is None or value.items else []
    return Sequence(value.kind, None, join_all([*known, new]))


def of_batch(value: Batch, name: str) -> Value:
    """What a method of dict gives on a batch."""
    match name:
        case "items":
            return Sequence("iter", None, Sequence("tuple", (Host("str"), value)))
        case "values":
            return Sequence("iter", None, value)
        case "keys":
            return Sequence("iter", None, Host("str"))
        case "update" | "clear":
            return NONE
    return value


def of_module(value: Instance, name: str, arguments: Arguments) -> Value:
    """What a method of torch.nn.Module returns."""
    if name in SELF_METHODS:
        return moved_module(value, name, arguments)
    parameter = Tensor(value.device or OPEN, rank=ARRAY)
    match name:
        case "parameters" | "buffers":
            return Sequence("iter", None, parameter)
        case "named_parameters" | "named_buffers":
            return Sequence("iter", None, Sequence("tuple", (Host("str"), parameter)))
        case "state_dict":
            return Sequence("dict", None, parameter)
        case "modules" | "children" | "named_modules" | "named_children" | "get_submodule":
            return UNKNOWN
        case "extra_repr":
            return Host("str")
        case "zero_grad" | "load_state_dict" | "register_buffer" | "add_module" | "register_parameter":
            return NONE
    return UNKNOWN


def moved_module(value: Instance, name: str, arguments: Arguments) -> Instance:
    """The module after `.to(device)`, `.cuda()`, `.cpu()`."""
    device: Device | None = None
    if name == "cuda":
        device = Device(GPU, None, arguments.reason("the module is moved to the GPU by `.cuda()`"))
    elif name == "cpu":
        device = Device(CPU, None, arguments.reason("the module is moved to the host"))
    elif name in ("to", "to_empty"):
        given = arguments.keywords.get("device", arguments.positional[0] if arguments.positional else None)
        if given is not None:
            device = as_device(given, arguments.reason("the module is moved here by `.to(…)`"))
    moved = on_device(value, device) if device is not None else value
    return moved if isinstance(moved, Instance) else value


def of_library_object(value: Instance, kind: str, name: str, arguments: Arguments) -> Value:
    """What a method of an object of a library class returns."""
    if kind == "module" or (kind == "metric" and name in SELF_METHODS):
        return of_module(value, name, arguments)
    if kind == "metric":
        return _of_metric(value, name)
    if kind == "optimizer":
        return UNKNOWN if name == "step" else NONE
    return UNKNOWN


def _of_metric(value: Instance, name: str) -> Value:
    if name in ("compute", "forward", "__call__"):
        return Batch(value.device or OPEN)
    return NONE if name in ("update", "reset") else UNKNOWN


def called(value: Instance, kind: str | None, arguments: Arguments) -> Value:
    """What calling an object of a library class returns."""
    if kind == "metric":
        return Batch(value.device or OPEN)
    if kind == "module":
        operands = list(operands_of(arguments.all()))
        device = value.device if value.device is not None and not value.device.on_cpu else None
        return Batch(device or (common_device(operands) if operands else OPEN))
    return UNKNOWN


def yielded_by(value: Instance, kind: str | None) -> Value:
    """What iterating over an object of a library class yields; a DataLoader yields batches on the host."""
    if kind == "dataloader":
        pinned = value.argument("pin_memory") == Host("bool", True)
        memory = PINNED if pinned else ANY_MEMORY
        return Batch(Device(CPU, None, None), memory)
    if kind == "module":
        return UNKNOWN
    return UNKNOWN


DISTRIBUTION_SAMPLES = frozenset(("sample", "rsample", "log_prob", "entropy", "cdf", "icdf"))
"""Methods of torch.distributions whose results are tensors on the device of the parameters."""


def of_distribution(value: Instance, arguments: Arguments) -> Value:
    """A sample or a log probability, on the device of the distribution's parameters."""
    operands = list(operands_of([argument for _, argument in value.arguments] + list(arguments.positional)))
    return Tensor(common_device(operands) if operands else HOST, FLOAT)


def kind_of(cls: str) -> str | None:
    """What an object of a library class is, a distribution included."""
    if cls.startswith("torch.distributions."):
        return "distribution"
    return libraries.class_kind(cls)


