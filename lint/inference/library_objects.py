"""What methods of library objects return: modules, metrics, loaders, distributions."""

from __future__ import annotations

from ..facts import libraries, modules
from ..facts.signatures import lookup
from .arguments import Arguments
from .lattice import ANY_MEMORY, ARRAY, CPU, FLOAT, GPU, HOST, OPEN, PINNED, Device
from .signature_results import of_signature
from .tensors import as_device, common_device, operands_of
from .values import NONE, UNKNOWN, Batch, Host, Instance, Sequence, Tensor, Value


def of_module(value: Instance, name: str, arguments: Arguments) -> Value:
    """What a method of torch.nn.Module returns."""
    if name in modules.SELF_METHODS:
        return moved_module(value, name, arguments)
    parameter = Tensor(value.device or OPEN, rank=ARRAY)
    match name:
        case "parameters" | "buffers":
            return Sequence("iter", None, parameter)
        case "named_parameters" | "named_buffers":
            return Sequence("iter", None, Sequence("tuple", (Host("str"), parameter)))
        case "state_dict":
            return Sequence("dict", None, parameter)
        case "extra_repr":
            return Host("str")
        case "zero_grad" | "load_state_dict" | "register_buffer" | "add_module" | "register_parameter":
            return NONE
    return UNKNOWN


def moved_module(value: Instance, name: str, arguments: Arguments) -> Instance:
    """The module after `.to(device)`, `.cuda()`, `.cpu()`."""
    device = _device_of_move(name, arguments)
    return value if device is None else Instance(value.cls, value.arguments, device, value.made)


def _device_of_move(name: str, arguments: Arguments) -> Device | None:
    match name:
        case "cuda":
            return Device(GPU, None, arguments.reason("the module is moved to the GPU by `.cuda()`"))
        case "cpu":
            return Device(CPU, None, arguments.reason("the module is moved to the host"))
        case "to" | "to_empty":
            given = arguments.keywords.get("device", arguments.positional[0] if arguments.positional else None)
            return as_device(given, arguments.reason("the module is moved here by `.to(…)`"))
    return None


def of_library_object(value: Instance, kind: str, name: str, arguments: Arguments) -> Value:
    """What a method of an object of a library class returns."""
    if kind == "module" or (kind == "metric" and name in modules.SELF_METHODS):
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
        found = of_signature(signature, arguments) if (signature := lookup(value.cls)) else None
        return _of_any_module(value, arguments) if found is None or found is UNKNOWN else found
    return UNKNOWN


def _of_any_module(value: Instance, arguments: Arguments) -> Batch:
    """What a module returns of which nothing more is known: tensors where its parameters or its inputs are."""
    operands = list(operands_of(arguments.all()))
    device = value.device if value.device is not None and not value.device.on_cpu else None
    return Batch(device or (common_device(operands) if operands else OPEN))


def yielded_by(value: Instance, kind: str | None) -> Value:
    """What iterating over an object of a library class yields; a DataLoader yields batches on the host."""
    if kind == "dataloader":
        pinned = value.argument("pin_memory") == Host("bool", True)
        return Batch(HOST, PINNED if pinned else ANY_MEMORY)
    return UNKNOWN


def of_distribution(value: Instance, arguments: Arguments) -> Value:
    """A sample or a log probability, on the device of the distribution's parameters."""
    operands = list(operands_of([argument for _, argument in value.arguments] + list(arguments.positional)))
    return Tensor(common_device(operands) if operands else HOST, FLOAT)


def kind_of(cls: str) -> str | None:
    """What an object of a library class is, a distribution included."""
    if cls.startswith("torch.distributions."):
        return "distribution"
    return libraries.class_kind(cls)
