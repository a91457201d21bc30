"""The results of functions that no signature can describe: tensors from host data, wrappers, Python's builtins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ...facts import modules
from ...facts.libraries import COLLECTIONS
from ...facts.signatures import Signature, lookup
from ..values.arguments import Arguments
from ..values.containers import element
from ..values.joining import any_item
from ..values.lattice import (
    ANY_DTYPE,
    ANY_MEMORY,
    ANY_RANK,
    ANYWHERE,
    ARRAY,
    BOOL,
    CPU,
    FLOAT,
    GPU,
    INT,
    NO_MEMORY,
    OPEN,
    PAGEABLE,
    PINNED,
    SCALAR,
    UINT8,
    Device,
    rank_flags,
    shifted,
)
from ..values.ops import Op
from ..values.placement import device_of
from ..values.tensors import as_device, broadcast_rank, dtype_of, is_opaque, operands_of, promoted_dtype
from ..values.together import common_device
from ..values.union import (
    NONE,
    UNKNOWN,
    Batch,
    Deferred,
    DeviceRef,
    DTypeRef,
    Host,
    Instance,
    Sequence,
    Tensor,
    Value,
    defer,
    options_of,
)
from .callbacks import partial
from .iterables import BUILTINS
from .packing import PACKED_SEQUENCE, packed, padded
from .signatures import named_device, of_signature


def _device_ref(arguments: Arguments) -> Value:
    given = arguments.first()
    if "device" in arguments.keywords:
        given = arguments.keywords["device"]
    return DeviceRef(named_device(given, arguments, "the device"), is_object=True)


def _accelerator(arguments: Arguments) -> Value:
    return DeviceRef(Device(GPU, None, arguments.reason("the accelerator's device")), is_object=True)


def _copied_data(arguments: Arguments) -> Value:
    """Return `torch.tensor`'s result: as below; unknown data is assumed to be on the host, as tensors have `clone`."""
    return _new_tensor(arguments, is_copied=True)


def _new_tensor(arguments: Arguments, is_copied: bool = False) -> Value:
    """Return the result of `torch.tensor`, `as_tensor`, `asarray`: a tensor from host data, or from a tensor."""
    data = arguments.first()
    if "data" in arguments.keywords:
        data = arguments.keywords["data"]
    given = arguments.keywords.get("device")
    if given is None and len(arguments.positional) > 2:
        given = arguments.positional[2]
    dtype = arguments.keywords.get("dtype", arguments.positional[1] if len(arguments.positional) > 1 else None)
    flags = dtype.dtype if isinstance(dtype, DTypeRef) else dtype_of(data) if dtype in (None, NONE) else ANY_DTYPE
    rank = data.rank if isinstance(data, Tensor) else nested_rank(data)
    device = as_device(given, arguments.reason("created on the device from host data")) if given is not None else None
    if device is None and is_opaque(given):
        device = Device(ANYWHERE, None, arguments.reason("created on an unknown device"))
    if device is None:
        asked = defer(Op.DATA, "copied" if is_copied else "", (data,)) if _is_open(data) else data
        device = _place_of(asked) if not is_copied or isinstance(asked, Tensor | Batch | Deferred) else None
        if isinstance(asked, Deferred) and device is not None:
            device = replace(device, why=arguments.reason("created where its data is"))
        device = device or Device(CPU, None, arguments.reason("created on the CPU from host data"))
    made = filled(Tensor(device, flags, rank), arguments, "torch.tensor")
    return replace(made, memory=NO_MEMORY) if is_nothing(data) else made


def _place_of(data: Value) -> Device | None:
    """Return where data is that may be a tensor, which stays there; None if it is on the host as it is no tensor."""
    options = options_of(data)
    tensors = [each for each in options if isinstance(each, Tensor | Batch | Deferred)]
    device = device_of(data) if tensors else None
    is_open = device is None or device.like is not None or len(tensors) == len(options)
    return device if is_open or device is None else device.join(Device(CPU))


def _is_open(data: Value) -> bool:
    """Whether only linking knows what data is, or whether alternatives are left that a condition has narrowed."""
    options = options_of(data)
    return isinstance(data, Deferred) or all(isinstance(each, Deferred) and each.op is Op.WITHOUT for each in options)


def filled(made: Tensor, arguments: Arguments, maker: str) -> Tensor:
    """Return a tensor that a function has just created, on the host in the requested kind of memory."""
    if not made.device.on_cpu:
        return made
    pinned = arguments.get("pin_memory") or Host("bool", False)
    memory = PINNED if pinned == Host("bool", True) else PAGEABLE if pinned == Host("bool", False) else ANY_MEMORY
    return replace(made, memory=memory, maker=maker if memory == PAGEABLE else "")


def is_nothing(data: Value) -> bool:
    """Whether a tensor that is made from this has no elements: it is an empty list."""
    return isinstance(data, Sequence) and data.kind == "list" and data.items == ()


def nested_rank(data: Value) -> int:
    """Return the rank of a tensor created from numbers, or lists of them."""
    if isinstance(data, Sequence):
        inner = nested_rank(any_item(data)) if data.kind in ("list", "tuple") else ANY_RANK
        return shifted(inner, 1)
    if isinstance(data, Host) and data.kind == "ndarray":
        return ARRAY  # what numpy reduces to one number is a number
    return SCALAR if isinstance(data, Host) and data.kind in ("int", "float", "bool") else ANY_RANK


def _where(arguments: Arguments) -> Value:
    operands = list(operands_of(arguments.all()))
    device = common_device(operands)
    if len(arguments.positional) + len(arguments.keywords) < 2:
        return Sequence("tuple", None, Tensor(device, INT, rank_flags(1)))
    values = arguments.all()[1:]
    return Tensor(device, promoted_dtype(values), broadcast_rank(arguments.all()))


def _with_dimensions(least: int) -> Callable[[Arguments], Value]:
    """Return the result of `atleast_1d` and the like: a tensor of at least that rank; a tuple for several tensors."""

    def make(arguments: Arguments) -> Value:
        found = tuple(_widened(value, least) for value in arguments.all())
        return found[0] if len(found) == 1 else Sequence("tuple", found)

    return make


def _widened(value: Value, least: int) -> Value:
    if isinstance(value, Sequence):
        items = None if value.items is None else tuple(_widened(item, least) for item in value.items)
        return Sequence("tuple", items, value.element if items else _widened(value.element, least))
    enough = ANY_RANK & ~(rank_flags(least) - 1)
    rank = value.rank if isinstance(value, Tensor) else ANY_RANK
    rank = rank & enough | (rank_flags(least) if rank & ~enough else 0)
    return Tensor(common_device(operands_of([value])), dtype_of(value), rank)


def _gradients(arguments: Arguments) -> Value:
    return Sequence("tuple", None, Tensor(common_device(operands_of(arguments.all()))))


def _checkpoint(arguments: Arguments) -> Value:
    function, *rest = arguments.positional or (UNKNOWN,)
    return defer(Op.CALL_VALUE, "", (function, *rest))


def _wrapped(parameter: str) -> Callable[[Arguments], Value]:
    """Return what tells the module that is passed to what wraps it: `torch.compile`, DDP, `torch.jit.script`."""
    return lambda arguments: arguments.keywords.get(parameter) or arguments.first()


def _parameter(arguments: Arguments) -> Value:
    """Return a parameter, which moves with its module, so its device is open unless created on the GPU."""
    value = arguments.first()
    if isinstance(value, Tensor):
        return Tensor(value.device if value.device.on_gpu else OPEN, value.dtype, value.rank)
    return Tensor(rank=ARRAY)


def _variable(arguments: Arguments) -> Value:
    """Return what a `Variable` wraps, which has been the tensor itself since torch 0.4."""
    return arguments.keywords.get("data", arguments.first())


def _collected(arguments: Arguments) -> Value:
    """Return an object that holds the tensors it is made from, where they are."""
    given = (any_item(each) if isinstance(each, Sequence) else each for each in arguments.all())
    operands = list(operands_of(given))
    return Batch(common_device(operands)) if operands else UNKNOWN


def _from_numpy(arguments: Arguments) -> Value:
    device = Device(CPU, None, arguments.reason("created from a numpy array, on the host"))
    return Tensor(device, rank=ARRAY, memory=PAGEABLE)


def _gradient_norm(arguments: Arguments) -> Value:
    device = common_device(operands_of([element(arguments.first())]))
    return Tensor(device, FLOAT, SCALAR)


def _of_numbers(name: str, *parameters: str) -> Callable[[Arguments], Value]:
    """Return the result of `arange` and `full`, with the dtype of the given numbers; no range has dtype bool."""

    def make(arguments: Arguments) -> Value:
        made = _by_signature(name, arguments)
        if isinstance(made, Tensor) and name == "torch.arange":
            made = replace(made, rank=rank_flags(1))
        if not isinstance(made, Tensor) or made.dtype != ANY_DTYPE or arguments.get("dtype") is not None:
            return made
        given = [value for parameter in parameters if (value := arguments.get(parameter)) is not None]
        dtype = promoted_dtype(given) if given else ANY_DTYPE
        return replace(made, dtype=dtype & ~(BOOL | UINT8) or INT if name == "torch.arange" else dtype)

    return make


def _each_of(name: str) -> Callable[[Arguments], Value]:
    """Return the result of a function that gives back a tensor for each that it is given, of the same dtype."""

    def make(arguments: Arguments) -> Value:
        made, given = _by_signature(name, arguments), arguments.positional
        if len(given) == 1 and isinstance(given[0], Sequence):
            given = given[0].items or ()
        if not isinstance(made, Sequence) or not isinstance(made.element, Tensor) or UNKNOWN in given or not given:
            return made
        each = made.element
        items = (replace(each, dtype=one.dtype) if isinstance(one, Tensor) else each for one in given)
        return Sequence(made.kind, tuple(items))

    return make


def _by_signature(name: str, arguments: Arguments) -> Value:
    signature = lookup(name)
    return (by_signature(name, signature, arguments) if signature else None) or UNKNOWN


def by_signature(name: str, signature: Signature, arguments: Arguments) -> Value | None:
    """Return the result by a signature; a factory's CPU tensor remembers that it is new."""
    made = of_signature(signature, arguments)
    if signature.device != "factory" or not isinstance(made, Tensor):
        return made
    is_sized = bool(signature.parameters) and signature.parameters[0].name == "size"
    is_empty = is_sized and Host("int", 0) in _sizes(arguments)
    return replace(made, memory=NO_MEMORY) if is_empty else filled(made, arguments, name)


def _sizes(arguments: Arguments) -> tuple[Value, ...]:
    """Return the sizes that a factory is given, one by one or together."""
    match arguments.positional:
        case (Sequence(items=tuple() as sizes), *_):
            return sizes
    return arguments.positional


SPECIAL: dict[str, Callable[[Arguments], Value]] = {
    "torch.arange": _of_numbers("torch.arange", "start", "end", "step"),
    "torch.full": _of_numbers("torch.full", "fill_value"),
    "torch.device": _device_ref,
    "torch.accelerator.current_accelerator": _accelerator,
    "torch.cuda.current_stream": lambda _: Instance("torch.cuda.Stream"),
    "torch.cuda.default_stream": lambda _: Instance("torch.cuda.Stream"),
    "torch.tensor": _copied_data,
    "torch.as_tensor": _new_tensor,
    "torch.asarray": _new_tensor,
    "torch.broadcast_tensors": _each_of("torch.broadcast_tensors"),
    "torch.meshgrid": _each_of("torch.meshgrid"),
    "torch.from_numpy": _from_numpy,
    "torch.where": _where,
    **{f"torch.atleast_{least}d": _with_dimensions(least) for least in (1, 2, 3)},
    "torch.autograd.Variable": _variable,
    "torch.autograd.variable.Variable": _variable,
    "torch.nn.Parameter": _parameter,
    "torch.nn.parameter.Parameter": _parameter,
    **{name: _wrapped(parameter) for name, parameter in modules.WRAPPERS.items()},
    "torch.utils.checkpoint.checkpoint": _checkpoint,
    "torch.autograd.grad": _gradients,
    "torch.nn.utils.clip_grad_norm_": _gradient_norm,
    "torch.nn.utils.get_total_norm": _gradient_norm,
    "torch.nn.utils.rnn.pad_packed_sequence": padded,
    **dict.fromkeys((f"torch.nn.utils.rnn.{name}" for name in ("pack_padded_sequence", "pack_sequence")), packed),
    PACKED_SEQUENCE: packed,
    **dict.fromkeys(COLLECTIONS, _collected),
    "functools.partial": partial,
    **BUILTINS,
}
