"""What a call of a library gives back: pure functions from the facts and the arguments' values to a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..facts import host, libraries
from ..facts.signatures import WIDENING, Signature, lookup
from ..finding import Reason
from .lattice import (
    ANY_DTYPE,
    ANY_RANK,
    ARRAY,
    BOOL,
    COMPLEX,
    CPU,
    FLOAT,
    GPU,
    INT,
    OPEN,
    PAGEABLE,
    PINNED,
    SCALAR,
    UINT8,
    Device,
)
from .tensors import (
    as_device,
    broadcast_rank,
    common_device,
    dtype_of,
    element,
    operands_of,
    promoted_dtype,
)
from .values import (
    NONE,
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
    Sequence,
    Tensor,
    Value,
    defer,
    device_of,
    join_all,
    on_device,
)

Keywords = tuple[tuple[str, Value], ...]
Why = Callable[[str], Reason]

DTYPES = {"bool": BOOL, "int64": INT, "int32": INT, "uint8": UINT8, "float": FLOAT, "real": FLOAT, "complex": COMPLEX, "int": INT}
CASTS = {
    "float": FLOAT, "double": FLOAT, "half": FLOAT, "bfloat16": FLOAT, "long": INT, "int": INT, "short": INT,
    "char": INT, "byte": UINT8, "bool": BOOL,
}  # fmt: skip
TENSOR_CLASSES = {
    "FloatTensor": FLOAT, "DoubleTensor": FLOAT, "HalfTensor": FLOAT, "BFloat16Tensor": FLOAT, "LongTensor": INT,
    "IntTensor": INT, "ShortTensor": INT, "CharTensor": INT, "ByteTensor": UINT8, "BoolTensor": BOOL,
    "Tensor": FLOAT,
}  # fmt: skip
DTYPE_NAMES = {
    "float": FLOAT, "float16": FLOAT, "float32": FLOAT, "float64": FLOAT, "half": FLOAT, "double": FLOAT,
    "bfloat16": FLOAT, "bool": BOOL, "uint8": UINT8, "int": INT, "int8": INT, "int16": INT, "int32": INT,
    "int64": INT, "long": INT, "short": INT, "complex64": COMPLEX, "complex128": COMPLEX, "cfloat": COMPLEX,
    "float8_e4m3fn": FLOAT, "float8_e5m2": FLOAT,
}  # fmt: skip

class Arguments:
    """The arguments of one call, by parameter name where the signature gives one."""

    __slots__ = ("keywords", "names", "positional", "receiver", "why")

    def __init__(
        self, receiver: Value | None, positional: tuple[Value, ...], keywords: Keywords, why: Why | None = None
    ) -> None:
        self.receiver = receiver
        self.positional = positional
        self.keywords = dict(keywords)
        self.names: tuple[str, ...] = ()
        self.why = why

    def get(self, name: str) -> Value | None:
        """The argument for a parameter, or None where it was not passed."""
        if name in self.keywords:
            return self.keywords[name]
        if name in self.names and (at := self.names.index(name)) < len(self.positional):
            return self.positional[at]
        return None

    def given(self) -> frozenset[str]:
        """The names of the arguments that were passed, and are not literally None or False."""
        pairs = [*zip(self.names, self.positional), *self.keywords.items()]
        return frozenset(name for name, value in pairs if value != NONE and value != Host("bool", False))

    def first(self) -> Value:
        """The receiver, else the first positional argument, else `input=`."""
        if self.receiver is not None:
            return self.receiver
        if self.positional:
            return self.positional[0]
        return self.keywords.get("input", UNKNOWN)

    def all(self) -> tuple[Value, ...]:
        """Every argument's value, the receiver first."""
        head = () if self.receiver is None else (self.receiver,)
        return (*head, *self.positional, *self.keywords.values())

    def reason(self, message: str) -> Reason | None:
        """A reason at the call's place, where the place is known."""
        return self.why(message) if self.why else None


def call(name: str, arguments: Arguments) -> Value | None:
    """What calling the library function `name` returns; None where no fact says."""
    if handler := SPECIAL.get(name):
        return handler(arguments)
    if kind := host.RESULTS.get(name):
        return _plain(kind)
    if name in host.SCALARS and _is_scalar(host.SCALARS[name], arguments):
        return Host("float")
    root = name.partition(".")[0]
    is_class = name.rpartition(".")[2][:1].isupper()
    if not is_class and (signature := lookup(name)):
        return of_signature(signature, arguments)
    if name in host.PASS_THROUGH:
        return arguments.first()
    if root == "torch":
        return _torch_object(name, arguments)
    if root in host.HOST_LIBRARIES:
        return Host("ndarray" if root in host.ARRAY_LIBRARIES else "object")
    if libraries.is_metric(name) or libraries.class_kind(name):
        return Instance(name, tuple(_constructor_arguments(arguments)))
    return None


def _is_scalar(limit: int, arguments: Arguments) -> bool:
    """The call of a numpy function returns one number: it names neither an axis nor a size."""
    return len(arguments.positional) <= limit and not {"axis", "size", "keepdims"} & arguments.keywords.keys()


def _torch_object(name: str, arguments: Arguments) -> Value | None:
    last = name.rpartition(".")[2]
    if last in TENSOR_CLASSES:
        return _tensor_class(name, last, arguments)
    if last in DTYPE_NAMES and name.count(".") == 1:
        return None
    if last[:1].isupper():
        return Instance(name, tuple(_constructor_arguments(arguments)))
    return None


def _constructor_arguments(arguments: Arguments) -> list[tuple[str, Value]]:
    numbered = [(str(at), value) for at, value in enumerate(arguments.positional)]
    return numbered + list(arguments.keywords.items())


def _plain(kind: str) -> Value:
    match kind:
        case "NoneType" | "none":
            return NONE
        case "size":
            return Host("Size")
        case "numpy":
            return Host("ndarray")
        case "number":
            return Host("float")
        case "dtype":
            return DTypeRef(ANY_DTYPE)
        case "device":
            return DeviceRef(OPEN)
        case _:
            return Host(kind)


def of_signature(signature: Signature, arguments: Arguments) -> Value | None:
    """What a function or method with this signature returns."""
    arguments.names = signature.argument_names(len(arguments.positional))
    result = signature.result_for(arguments.given())
    operands = list(operands_of(arguments.all()))
    match result.partition(":"):
        case ("self", _, _):
            return arguments.first()
        case ("tensor", _, _):
            return _tensor(signature, 0, operands, arguments)
        case ("tensors", _, _):
            return Sequence("tuple", None, _tensor(signature, 0, operands, arguments))
        case ("tuple", _, count):
            return Sequence("tuple", tuple(_tensor(signature, at, operands, arguments) for at in range(int(count))))
        case ("nested", _, _):
            state = _tensor(signature, 1, operands, arguments)
            return Sequence("tuple", (_tensor(signature, 0, operands, arguments), Sequence("tuple", (state, state))))
        case ("list", _, _):
            return Sequence("list", None, Host("float"))
        case ("other", _, _):
            return UNKNOWN
    return _plain(result)


def _tensor(signature: Signature, at: int, operands: list[Value], arguments: Arguments) -> Tensor:
    return Tensor(
        _device(signature.device, operands, arguments),
        _dtype(signature, signature.dtype_of(at), arguments),
        _rank(signature.rank_of(at), operands, arguments),
    )


def _device(rule: str, operands: list[Value], arguments: Arguments) -> Device:
    match rule:
        case "cpu":
            return Device(CPU, None, arguments.reason("made on the host"))
        case "cuda":
            return Device(GPU, None, arguments.reason("made on the GPU"))
        case "factory" | "like":
            return _factory_device(rule, arguments)
        case "any":
            return OPEN
    return common_device(operands)


def _factory_device(rule: str, arguments: Arguments) -> Device:
    given = arguments.get("device")
    if given is not None and given != NONE:
        return as_device(given, arguments.reason("made on the device named here")) or OPEN
    if rule == "like":
        return device_of(arguments.first()) or OPEN
    return Device(CPU, None, arguments.reason("made on the CPU, for no `device=` is given"))


def _dtype(signature: Signature, rule: str, arguments: Arguments) -> int:
    given = arguments.get("dtype")
    if isinstance(given, DTypeRef):
        return given.dtype
    if given is not None and given != NONE:
        return ANY_DTYPE
    match rule:
        case "factory":
            return FLOAT
        case "like":
            return dtype_of(arguments.first())
        case "same":
            return promoted_dtype(_promoting(signature, arguments))
        case "accumulate":
            return _accumulated(dtype_of(arguments.first()))
    return DTYPES.get(rule, ANY_DTYPE)


def _promoting(signature: Signature, arguments: Arguments) -> Iterator[Value]:
    """The arguments that the result's dtype is promoted from: tensors and numbers, but no dimensions and sizes."""
    if arguments.receiver is not None:
        yield arguments.receiver
    pairs = [(signature.at(at), value) for at, value in enumerate(arguments.positional)]
    pairs += [(signature.named(name), value) for name, value in arguments.keywords.items()]
    for parameters, value in pairs:
        wanted = "s" if isinstance(value, Host) else "tTs"
        if any(not parameter.kinds.isdisjoint(wanted) for parameter in parameters):
            yield value


def _accumulated(flags: int) -> int:
    """The dtype of a sum: integers and truth values are summed as int64."""
    return INT if flags in (BOOL, INT, UINT8) else flags if flags in (FLOAT, COMPLEX) else ANY_DTYPE & ~(BOOL | UINT8)


def _rank(rule: str, operands: list[Value], arguments: Arguments) -> int:
    match rule:
        case "0":
            return SCALAR
        case "1+":
            return ARRAY
        case "same":
            return broadcast_rank(operands) if operands else ANY_RANK
        case "first":
            return broadcast_rank(operands[:1]) if operands else ANY_RANK
        case "reduce":
            return _reduced_rank(operands, arguments)
        case "reduction":
            return SCALAR if arguments.get("reduction") in (None, Host("str", "mean"), Host("str", "sum")) else ANY_RANK
        case "size":
            return _size_rank(arguments)
    return ANY_RANK


def _reduced_rank(operands: list[Value], arguments: Arguments) -> int:
    if arguments.get("other") is not None:
        return broadcast_rank(operands)
    given = arguments.given() & WIDENING
    if not given:
        return SCALAR
    if arguments.get("keepdim") == Host("bool", True):
        return ARRAY
    first = arguments.first()
    return SCALAR if isinstance(first, Tensor) and first.rank == SCALAR else ANY_RANK


def _size_rank(arguments: Arguments) -> int:
    """The rank of `zeros(2, 3)`, `zeros((2, 3))`, `zeros(())`."""
    size = arguments.get("size") or arguments.get("shape")
    if isinstance(size, Sequence) and size.items is not None:
        return ARRAY if size.items else SCALAR
    return ARRAY if isinstance(size, Host) and size.kind == "int" else ANY_RANK


# -- methods of tensors ------------------------------------------------------------------------------------------------


def method(name: str, receiver: Tensor | Batch, arguments: Arguments) -> Value | None:
    """What `receiver.name(…)` returns for a method of torch.Tensor; None where there is no such method."""
    if name in ("to", "cuda", "cpu", "xpu"):
        return _moved(name, receiver, arguments)
    if isinstance(receiver, Batch):
        receiver = Tensor(receiver.device, memory=receiver.memory)
        arguments.receiver = receiver
    if name in CASTS:
        return Tensor(receiver.device, CASTS[name], receiver.rank, receiver.memory)
    if name == "type":
        return _typed(receiver, arguments)
    if name == "type_as" and arguments.positional:
        other = arguments.positional[0]
        return Tensor(device_of(other) or OPEN, dtype_of(other), receiver.rank)
    if name == "pin_memory":
        return Tensor(receiver.device, receiver.dtype, receiver.rank, PINNED)
    if name == "new":
        return Tensor(receiver.device, receiver.dtype)
    if name == "numpy":
        return Host("ndarray")
    if name in ("size",):
        return Host("int") if arguments.positional or arguments.keywords else Host("Size")
    signature = lookup(f"torch.Tensor.{name}")
    return of_signature(signature, arguments) if signature else None


def _moved(name: str, receiver: Tensor | Batch, arguments: Arguments) -> Value:
    if name == "cpu":
        return on_device(receiver, Device(CPU, None, arguments.reason("copied to the host")))
    if name in ("cuda", "xpu"):
        return on_device(receiver, Device(GPU, None, arguments.reason(f"moved to the GPU by `.{name}()`")))
    given = arguments.keywords.get("device")
    others = [given] if given is not None else list(arguments.positional[:1])
    dtype = next((a.dtype for a in arguments.all() if isinstance(a, DTypeRef)), None)
    moved: Value = receiver
    for target in others:
        device = None if isinstance(target, DTypeRef) else as_device(target, arguments.reason("moved here by `.to(…)`"))
        if device is not None:
            moved = on_device(receiver, device)
        if isinstance(target, Tensor):
            dtype = target.dtype
        if isinstance(target, Deferred):
            dtype = ANY_DTYPE if isinstance(receiver, Tensor) and dtype is None else dtype
    if dtype is not None and isinstance(moved, Tensor):
        moved = Tensor(moved.device, dtype, moved.rank, moved.memory, moved.by_use)
    return moved


def _typed(receiver: Tensor, arguments: Arguments) -> Value:
    match arguments.positional[:1]:
        case ():
            return Host("str")
        case (DTypeRef(dtype),):
            return Tensor(receiver.device, dtype, receiver.rank)
        case (Host("str", str() as text),):
            device = Device(GPU if ".cuda." in text else CPU, None, arguments.reason(f"becomes a {text}"))
            return Tensor(device, TENSOR_CLASSES.get(text.rpartition(".")[2], ANY_DTYPE), receiver.rank)
        case (Module(text),):
            device = Device(GPU if ".cuda." in text else CPU, None, arguments.reason(f"becomes a {text}"))
            return Tensor(device, TENSOR_CLASSES.get(text.rpartition(".")[2], ANY_DTYPE), receiver.rank)
        case _:
            return Tensor(receiver.device, ANY_DTYPE, receiver.rank)


# -- functions whose result no signature can tell ----------------------------------------------------------------------


def _device_ref(arguments: Arguments) -> Value:
    given = arguments.first()
    if "device" in arguments.keywords:
        given = arguments.keywords["device"]
    return DeviceRef(as_device(given, arguments.reason("the device named here")) or OPEN)


def _new_tensor(arguments: Arguments) -> Value:
    """`torch.tensor`, `as_tensor`, `asarray`: a tensor of host data, or of a tensor."""
    data = arguments.first()
    if "data" in arguments.keywords:
        data = arguments.keywords["data"]
    given = arguments.keywords.get("device")
    if given is None and len(arguments.positional) > 2:
        given = arguments.positional[2]
    dtype = arguments.keywords.get("dtype", arguments.positional[1] if len(arguments.positional) > 1 else None)
    flags = dtype.dtype if isinstance(dtype, DTypeRef) else dtype_of(data) if dtype in (None, NONE) else ANY_DTYPE
    rank = ARRAY if isinstance(data, Sequence) else data.rank if isinstance(data, Tensor) else _scalar_rank(data)
    device = as_device(given, arguments.reason("made from host data on the device")) if given is not None else None
    if device is None:
        device = device_of(data) if isinstance(data, Tensor | Batch | Deferred) else None
        device = device or Device(CPU, None, arguments.reason("made on the CPU from host data"))
    return Tensor(device, flags, rank)


def _scalar_rank(data: Value) -> int:
    return SCALAR if isinstance(data, Host) and data.kind in ("int", "float", "bool") else ANY_RANK


def _where(arguments: Arguments) -> Value:
    operands = list(operands_of(arguments.all()))
    device = common_device(operands)
    if len(arguments.positional) + len(arguments.keywords) < 2:
        return Sequence("tuple", None, Tensor(device, INT, ARRAY))
    values = arguments.all()[1:]
    return Tensor(device, promoted_dtype(values), broadcast_rank(arguments.all()))


def _zip(arguments: Arguments) -> Value:
    return Sequence("iter", None, Sequence("tuple", tuple(element(value) for value in arguments.positional)))


def _enumerate(arguments: Arguments) -> Value:
    return Sequence("iter", None, Sequence("tuple", (Host("int"), element(arguments.first()))))


def _listed(kind: str) -> Callable[[Arguments], Value]:
    def make(arguments: Arguments) -> Value:
        value = arguments.first()
        if isinstance(value, Sequence) and value.kind != "dict":
            return Sequence(kind, value.items, value.element)
        return Sequence(kind, None, element(value) if arguments.positional else UNKNOWN)

    return make


def _dict(arguments: Arguments) -> Value:
    items = tuple(arguments.keywords.values())
    return Sequence("dict", items, keys=tuple(arguments.keywords)) if not arguments.positional else arguments.first()


def _sum(arguments: Arguments) -> Value:
    total = element(arguments.first())
    return total if not isinstance(total, Tensor) else Tensor(total.device, total.dtype, total.rank)


def _extreme(arguments: Arguments) -> Value:
    values = arguments.positional
    return join_all(values) if len(values) > 1 else element(arguments.first())


def _absolute(arguments: Arguments) -> Value:
    value = arguments.first()
    return value if not isinstance(value, Host) else Host(value.kind)


def _mapped(arguments: Arguments) -> Value:
    function, *rest = arguments.positional or (UNKNOWN,)
    match function:
        case Function() | Class() | Module() | Deferred():
            result = defer("call_value", "", (function, *(element(value) for value in rest)))
        case _:
            result = UNKNOWN
    return Sequence("iter", None, result)


def _filtered(arguments: Arguments) -> Value:
    return Sequence("iter", None, element(arguments.positional[-1]) if arguments.positional else UNKNOWN)


def _gradients(arguments: Arguments) -> Value:
    return Sequence("tuple", None, Tensor(common_device(operands_of(arguments.all()))))


def _tensor_class(name: str, last: str, arguments: Arguments) -> Value:
    """`torch.cuda.FloatTensor(…)`, `torch.LongTensor([…])`: the old constructors."""
    where = Device(GPU if ".cuda." in name else CPU, None, arguments.reason(f"made by `{name}`"))
    return Tensor(where, TENSOR_CLASSES[last], ARRAY)


def _checkpoint(arguments: Arguments) -> Value:
    function, *rest = arguments.positional or (UNKNOWN,)
    return defer("call_value", "", (function, *rest))


def _wrapped_module(arguments: Arguments) -> Value:
    """Wrappers that return the module or function they are given: `torch.compile`, DDP, `torch.jit.script`."""
    return arguments.first()


def _parameter(arguments: Arguments) -> Value:
    """A parameter moves with its module, so its device is open unless it was made on the GPU."""
    value = arguments.first()
    if isinstance(value, Tensor):
        return Tensor(value.device if value.device.on_gpu else OPEN, value.dtype, value.rank)
    return Tensor(rank=ARRAY)


def _from_numpy(arguments: Arguments) -> Value:
    return Tensor(Device(CPU, None, arguments.reason("made from a numpy array, on the host")), memory=PAGEABLE)


def _gradient_norm(arguments: Arguments) -> Value:
    device = common_device(operands_of([element(arguments.first())]))
    return Tensor(device, FLOAT, SCALAR)


def _of_numbers(name: str, *parameters: str) -> Callable[[Arguments], Value]:
    """`arange` and `full`: the dtype is that of the numbers given; no number makes a range of truth values."""

    def make(arguments: Arguments) -> Value:
        made = _by_signature(name, arguments)
        if not isinstance(made, Tensor) or made.dtype != ANY_DTYPE or arguments.get("dtype") is not None:
            return made
        given = [value for parameter in parameters if (value := arguments.get(parameter)) is not None]
        dtype = promoted_dtype(given) if given else ANY_DTYPE
        return Tensor(made.device, dtype & ~(BOOL | UINT8) if name == "torch.arange" else dtype, made.rank)

    return make


def _by_signature(name: str, arguments: Arguments) -> Value:
    signature = lookup(name)
    return (of_signature(signature, arguments) if signature else None) or UNKNOWN


SPECIAL: dict[str, Callable[[Arguments], Value]] = {
    "torch.arange": _of_numbers("torch.arange", "start", "end", "step"),
    "torch.full": _of_numbers("torch.full", "fill_value"),
    "torch.device": _device_ref,
    "torch.cuda.current_stream": lambda _: Instance("torch.cuda.Stream"),
    "torch.cuda.default_stream": lambda _: Instance("torch.cuda.Stream"),
    "torch.tensor": _new_tensor,
    "torch.as_tensor": _new_tensor,
    "torch.asarray": _new_tensor,
    "torch.from_numpy": _from_numpy,
    "torch.where": _where,
    "torch.nn.Parameter": _parameter,
    "torch.nn.parameter.Parameter": _parameter,
    "torch.compile": _wrapped_module,
    "torch.jit.script": _wrapped_module,
    "torch.nn.parallel.DistributedDataParallel": _wrapped_module,
    "torch.nn.DataParallel": _wrapped_module,
    "torch.nn.SyncBatchNorm.convert_sync_batchnorm": _wrapped_module,
    "torch.utils.checkpoint.checkpoint": _checkpoint,
    "torch.autograd.grad": _gradients,
    "torch.nn.utils.clip_grad_norm_": _gradient_norm,
    "torch.nn.utils.get_total_norm": _gradient_norm,
    "zip": _zip,
    "enumerate": _enumerate,
    "list": _listed("list"),
    "tuple": _listed("tuple"),
    "set": _listed("set"),
    "sorted": _listed("list"),
    "reversed": _listed("iter"),
    "dict": _dict,
    "sum": _sum,
    "max": _extreme,
    "min": _extreme,
    "abs": _absolute,
    "map": _mapped,
    "filter": _filtered,
}

