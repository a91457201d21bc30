"""The results of methods of library objects: modules, metrics, loaders, distributions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...facts import distributions, modules, torch_transfers
from ...facts.graph_layers import makes_loader
from ...facts.signatures import lookup
from ...finding import Reason
from ..values.arguments import Arguments
from ..values.containers import element, key_of
from ..values.joining import any_item
from ..values.lattice import ANY_MEMORY, ARRAY, CPU, FLOAT, GPU, HOST, INT, OPEN, PAGEABLE, PINNED, Device
from ..values.module_lists import as_module, contents
from ..values.tensors import operands_of
from ..values.together import common_device
from ..values.union import NONE, SPREAD, UNKNOWN, Batch, Host, Instance, Sequence, Tensor, Value
from .accelerators import of_accelerator
from .collating import batches_of
from .command_lines import of_parser
from .packing import through
from .signatures import of_signature, target_of_move

PARAM_GROUPS = Sequence("list", None, Sequence("dict", (Sequence("list", None, Tensor(rank=ARRAY)),), keys=("params",)))
"""An optimizer's parameter groups. Source: torch 2.13 `torch/optim/optimizer.py`."""


def of_module(value: Instance, name: str, arguments: Arguments) -> Value:
    """Return the result of a method of torch.nn.Module."""
    if name in modules.SELF_METHODS:
        return moved_module(value, name, arguments)
    if name in modules.OF_CONTAINERS and (held := contents(value)) is not None:
        return _of_container(value, held, name)
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


def _of_container(value: Instance, held: Sequence, name: str) -> Value:
    """Return what a method of a container of modules gives: modules in it, or the names of these."""
    each, key = as_module(any_item(held), value), key_of(held)
    match name:
        case "pop":
            return each
        case "keys":
            return Sequence("iter", None, key)
        case "items":
            return Sequence("iter", None, Sequence("tuple", (key, each)))
    return Sequence("iter", None, each)


def moved_module(value: Instance, name: str, arguments: Arguments) -> Instance:
    """Return the module after `.to(device)`, `.cuda()`, `.cpu()`."""
    device = _device_of_move(value, name, arguments)
    return value if device is None else Instance(value.cls, value.arguments, device, value.made)


def _device_of_move(value: Instance, name: str, arguments: Arguments) -> Device | None:
    match name:
        case "cuda":
            return Device(GPU, None, arguments.reason("the module is moved to the GPU by `.cuda()`"))
        case "cpu":
            return Device(CPU, None, arguments.reason("the module is moved to the CPU"))
        case "to" | "to_empty":
            given = arguments.keywords.get("device", arguments.positional[0] if arguments.positional else None)
            return target_of_move(given, value.device, arguments, "the module is moved")
    return None


_NEXT = ("next", "__next__")
"""Methods of the iterators of DataLoaders, which count as the loaders themselves; `next` is one before torch 1.13."""


def of_library_object(value: Instance, kind: str, name: str, arguments: Arguments) -> Value:
    """Return the result of a method of an instance of a library class."""
    if makes_loader(value.cls, name):
        return Instance("torch.utils.data.DataLoader", tuple(arguments.keywords.items()))
    if kind in ("module", "loaded model") or (kind == "metric" and name in modules.SELF_METHODS):
        return of_module(value, name, arguments)
    if kind == "metric":
        return _of_metric(value, name)
    if kind == "optimizer":
        return UNKNOWN if name == "step" else NONE
    if kind == "distribution":
        return _of_distribution(value, name, arguments)
    if kind == "accelerator":
        return of_accelerator(value, name, arguments)
    if kind == "parser":
        return of_parser(value, name)
    if kind == "dataloader" and name in _NEXT:
        return yielded_by(value, kind)
    if kind == "lightning trainer" and name == "predict":
        why = arguments.reason("Lightning's Trainer copies predictions to the host")
        return Sequence("list", None, Batch(Device(CPU, None, why)))
    return UNKNOWN


def _of_metric(value: Instance, name: str) -> Value:
    if name in ("compute", "forward", "__call__"):
        return Batch(value.device or OPEN)
    return NONE if name in ("update", "reset") else UNKNOWN


def called(value: Instance, kind: str | None, arguments: Arguments) -> Value:
    """Return the result of calling an instance of a library class."""
    if kind in ("metric", "loaded model"):
        return Batch(value.device or OPEN, computed=True)
    if kind == "module":
        found = of_signature(signature, arguments) if (signature := lookup(value.cls)) else None
        return _of_any_module(value, arguments) if found is None or found is UNKNOWN else through(found, arguments)
    return UNKNOWN


def _of_any_module(value: Instance, arguments: Arguments) -> Batch:
    """Return the result of an otherwise unknown module: tensors on the device of its parameters or its inputs."""
    operands = list(operands_of(arguments.all()))
    taken = common_device(operands) if operands else OPEN
    if value.device is None or value.device.on_cpu or (taken.on_gpu and not value.device.on_gpu):
        return Batch(taken, computed=bool(operands))
    return Batch(value.device, computed=True)


def yielded_by(value: Instance, kind: str | None) -> Value:
    """Return what iterating over an instance of a library class yields; a DataLoader yields batches on the host."""
    if kind == "dataloader" and value.device is not None:
        return batches_of(value, Batch(value.device, source=value.made))
    if kind == "dataloader":
        why = Reason("a DataLoader yields its batches on the host", value.made)
        return batches_of(value, Batch(Device(CPU, None, why), memory_of_batches(value), value.made))
    return UNKNOWN if contents(value) is None else element(value)


def memory_of_batches(loader: Instance) -> int:
    """Return the kind of memory of a DataLoader's batches; any if its constructor's call was not seen."""
    at = str(torch_transfers.LOADER_PARAMETERS.index("pin_memory"))
    given = loader.argument("pin_memory") or loader.argument(at)
    if given is None:
        return PAGEABLE if loader.arguments and loader.argument(SPREAD) is None else ANY_MEMORY
    return PINNED if given == Host("bool", True) else PAGEABLE if given == Host("bool", False) else ANY_MEMORY


NUMBERS = ("int", "float")
_OF_NUMBERS = Device(CPU, None, Reason("made by a distribution whose parameters are numbers"))


def of_parameters(value: Instance, name: str, others: Iterable[Value] = ()) -> Tensor:
    """Return a tensor created by a distribution, on the device of its parameters and of the other operands.

    Numbers become tensors on the default device.
    """
    given = [*parameters_of(value), *others]
    operands = list(operands_of(given))
    device = common_device(operands) if operands else OPEN if UNKNOWN in given else _of_numbers(value, given)
    integers = name in ("sample", "mode") and value.cls.rpartition(".")[2] in distributions.SAMPLES_OF_INTEGERS
    return Tensor(device, INT if integers else FLOAT)


def _of_numbers(value: Instance, given: Iterable[Value]) -> Device:
    """Return where a distribution without tensors draws; only torch's own are known to make them of numbers.

    Of one that is only declared, no parameter is known.
    """
    if value.device is not None or not value.arguments:
        return value.device or OPEN
    is_told = value.cls.startswith("torch.") and any(isinstance(each, Host) and each.kind in NUMBERS for each in given)
    return _OF_NUMBERS if is_told else HOST


def as_tensor(value: Value) -> Value:
    """Return the value where only a tensor or number is possible: a potential container is not one here."""
    return Tensor(value.device) if isinstance(value, Batch) else value


def parameters_of(distribution: Instance) -> Iterator[Value]:
    """Yield the arguments of a distribution, including those of the ones it wraps."""
    for _, argument in distribution.arguments:
        if isinstance(argument, Instance):
            yield from parameters_of(argument)
        else:
            yield argument


def _of_distribution(value: Instance, name: str, arguments: Arguments) -> Value:
    """Return a sample or log probability, on the device of the distribution's parameters and the method's argument."""
    if name == "expand":
        return value
    return of_parameters(value, name, arguments.positional) if name in distributions.SAMPLES else UNKNOWN
