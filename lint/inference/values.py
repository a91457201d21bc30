"""What an expression can be: a small closed union of frozen values, made to be `match`ed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from ..finding import Span
from .lattice import ANY_DTYPE, ANY_MEMORY, ANY_RANK, ANYWHERE, GPU, OPEN, Device, dtype_name, rank_name

MOST_OPTIONS: Final = 4
"""A value with more alternatives than this is Unknown."""
MOST_DEPTH: Final = 40
"""A deferred term that grows beyond this (in a loop, say) is Unknown."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing is known; nothing is reported."""

    def __str__(self) -> str:
        return "Unknown"


UNKNOWN: Final = Unknown()


@dataclass(frozen=True, slots=True)
class Tensor:
    """A torch.Tensor; each property is a set of flags (see `lattice`).

    `by_use` says that it is taken for a tensor because of how it is used, not because of where it came from.
    """

    device: Device = OPEN
    dtype: int = ANY_DTYPE
    rank: int = ANY_RANK
    memory: int = ANY_MEMORY
    by_use: str = ""

    def __str__(self) -> str:
        parts = [str(self.device), dtype_name(self.dtype), rank_name(self.rank)]
        return f"Tensor[{', '.join(part for part in parts if part not in ('?', 'rank ?'))}]"


@dataclass(frozen=True, slots=True)
class Batch:
    """A tensor or a container of tensors that all live on one device: what a loader yields, what a model returns."""

    device: Device = OPEN
    memory: int = ANY_MEMORY

    def __str__(self) -> str:
        return f"Batch[{self.device}]"


@dataclass(frozen=True, slots=True)
class Host:
    """A value of the host that is no tensor: a number, text, None, a numpy array, a size.

    `kind` is the Python type's name (`int`, `float`, `bool`, `str`, `NoneType`, `ndarray`, `object`, …);
    `constant` is the literal's value where the source shows one.
    """

    kind: str
    constant: object = ...

    def __str__(self) -> str:
        return self.kind if self.constant is ... else f"{self.kind} {self.constant!r}"


NONE: Final = Host("NoneType", None)


@dataclass(frozen=True, slots=True)
class DeviceRef:
    """A torch.device, or the text or index that names one."""

    device: Device

    def __str__(self) -> str:
        return f"device {self.device}"


@dataclass(frozen=True, slots=True)
class DTypeRef:
    """A torch dtype."""

    dtype: int

    def __str__(self) -> str:
        return f"dtype {dtype_name(self.dtype)}"


@dataclass(frozen=True, slots=True)
class Module:
    """An imported Python module, by its dotted name."""

    name: str

    def __str__(self) -> str:
        return f"module {self.name}"


@dataclass(frozen=True, slots=True)
class Function:
    """A function or a method by its full name; `receiver` is what a method is bound to."""

    name: str
    receiver: Value | None = None

    def __str__(self) -> str:
        return f"function {self.name}"


@dataclass(frozen=True, slots=True)
class Class:
    """A class by its full name."""

    name: str

    def __str__(self) -> str:
        return f"class {self.name}"


SPREAD: Final = "**"
"""The name of a constructor's arguments that come out of a dict."""


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class, with the arguments it was made with and, for a module or metric, its device.

    `made` is where its constructor was called; it is kept for metrics, whose life is followed.
    """

    cls: str
    arguments: tuple[tuple[str, Value], ...] = ()
    device: Device | None = None
    made: Span | None = None

    def argument(self, name: str) -> Value | None:
        """The constructor's argument of that name; positional ones are named `0`, `1`, …"""
        return dict(self.arguments).get(name)

    def __str__(self) -> str:
        where = f" on {self.device}" if self.device else ""
        return f"instance of {self.cls}{where}"


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, tuple, dict or iterator of Python; `items` where each is known, else `element` for all.

    A dict's keys stand in `keys`, in the order of `items`.
    """

    kind: str
    items: tuple[Value, ...] | None = None
    element: Value = UNKNOWN
    keys: tuple[object, ...] = ()

    def any_item(self) -> Value:
        """What iterating yields."""
        return self.element if self.items is None else join_all(self.items)

    def __str__(self) -> str:
        inner = f"{self.element}, …" if self.items is None else ", ".join(map(str, self.items))
        return f"{self.kind}[{inner}]"


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few alternatives that do not join, such as `Tensor | None`."""

    options: tuple[Value, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.options))


@dataclass(frozen=True, slots=True, eq=False)
class Deferred:
    """A question that only linking can answer, with what was done to the answer since.

    `op` is `parameter`, `return`, `attribute`, `global`, or an operation on other terms (`call`, `method`,
    `binary`, `compare`, `index`, `element`, `item`, …); `name` is the parameter's, function's, attribute's or operator's name.
    Two terms are the same question only if they are the same object.
    """

    op: str
    name: str
    operands: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    depth: int = 0

    def __str__(self) -> str:
        return f"{self.op} {self.name}?"


Value: TypeAlias = (
    Unknown
    | Tensor
    | Batch
    | Host
    | DeviceRef
    | DTypeRef
    | Module
    | Function
    | Class
    | Instance
    | Sequence
    | OneOf
    | Deferred
)


def defer(op: str, name: str, operands: tuple[Value, ...] = (), keywords: tuple[tuple[str, Value], ...] = ()) -> Value:
    """A deferred term, or Unknown where it would grow too deep."""
    depth = 0
    for value in operands:
        if isinstance(value, Deferred) and value.depth >= depth:
            depth = value.depth + 1
    for _, value in keywords:
        if isinstance(value, Deferred) and value.depth >= depth:
            depth = value.depth + 1
    return UNKNOWN if depth > MOST_DEPTH else Deferred(op, name, operands, keywords, depth)


def options_of(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value; itself where there is one only."""
    return value.options if isinstance(value, OneOf) else (value,)


def join(a: Value, b: Value) -> Value:
    """What is known when a value is either of two."""
    if a is b:
        return a
    if isinstance(a, OneOf) or isinstance(b, OneOf):
        return join_all((*options_of(a), *options_of(b)))
    merged = _merge(a, b)
    return OneOf((a, b)) if merged is None else merged


def join_all(values: Iterable[Value]) -> Value:
    """What is known when a value is any of these; Unknown for none."""
    options: list[Value] = []
    for value in values:
        for option in options_of(value):
            for at, known in enumerate(options):
                merged = known if known is option else _merge(known, option)
                if merged is not None:
                    options[at] = merged
                    break
            else:
                options.append(option)
    if not options or len(options) > MOST_OPTIONS:
        return UNKNOWN
    return options[0] if len(options) == 1 else OneOf(tuple(options))


def _merge(a: Value, b: Value) -> Value | None:
    """One value that stands for both, or None where they are too different."""
    if type(a) is not type(b):
        if isinstance(a, Batch) and isinstance(b, Tensor):
            return Batch(a.device.join(b.device), a.memory | b.memory)
        return _merge(b, a) if isinstance(b, Batch) and isinstance(a, Tensor) else None
    match a, b:
        case Tensor(), Tensor():
            return Tensor(
                a.device.join(b.device), a.dtype | b.dtype, a.rank | b.rank, a.memory | b.memory, a.by_use or b.by_use
            )
        case Batch(), Batch():
            return Batch(a.device.join(b.device), a.memory | b.memory)
        case Host(), Host():
            return _merge_hosts(a, b) if a.kind == b.kind else None
        case DeviceRef(), DeviceRef():
            return _merge_devices(a, b)
        case DTypeRef(), DTypeRef():
            return DTypeRef(a.dtype | b.dtype)
        case Instance(), Instance() if a.cls == b.cls:
            return _merge_instances(a, b)
        case Sequence(), Sequence() if a.kind == b.kind:
            return _merge_sequences(a, b)
        case Deferred(), Deferred():
            return None
        case _:
            return a if a == b else None


def _merge_hosts(a: Host, b: Host) -> Host:
    """Equal constants stay; of two device names `cuda` stays, for the program is meant for the GPU, and `nccl` of two
    backends; else the kind."""
    if a.constant == b.constant and type(a.constant) is type(b.constant):
        return a
    for one, other in ((a, b), (b, a)):
        if isinstance(one.constant, str) and one.constant.startswith("cuda") and other.constant == "cpu":
            return one
        if one.constant == "nccl" and isinstance(other.constant, str) and other.constant.endswith("gloo"):
            return one
    return Host(a.kind)


def _merge_devices(a: DeviceRef, b: DeviceRef) -> DeviceRef:
    """`cuda` in one branch and `cpu` in the other is a program meant for the GPU."""
    if a.device.on_gpu or b.device.on_gpu:
        return a if a.device.on_gpu else b
    return DeviceRef(a.device.join(b.device))


def _merge_instances(a: Instance, b: Instance) -> Instance:
    arguments = a.arguments if a.arguments == b.arguments else tuple(x for x in a.arguments if x in b.arguments)
    made = a.made if a.made == b.made else None
    if a.device is None or b.device is None:
        return Instance(a.cls, arguments, a.device or b.device, made)
    return Instance(a.cls, arguments, a.device.join(b.device), made)


def _merge_sequences(a: Sequence, b: Sequence) -> Sequence:
    if a.items is not None and b.items is not None and len(a.items) == len(b.items) and a.keys == b.keys:
        return Sequence(a.kind, tuple(map(join, a.items, b.items)), keys=a.keys)
    known = [s.any_item() for s in (a, b) if s.items is None or s.items]
    return Sequence(a.kind, None, join_all(known))


def on_device(value: Value, device: Device) -> Value:
    """The value after it moved to a device."""
    match value:
        case Tensor():
            return Tensor(device, value.dtype, value.rank, ANY_MEMORY, value.by_use)
        case Batch():
            return Batch(device)
        case Instance():
            return Instance(value.cls, value.arguments, device, value.made)
        case _:
            return value


def may_be_on_gpu(value: Value) -> bool:
    """Some alternative is a tensor (or a container of tensors) that can live on the GPU."""
    return any(isinstance(v, Tensor | Batch) and v.device.flags & GPU for v in options_of(value))


def device_of(value: Value) -> Device | None:
    """The device of a tensor, batch, module or device reference; None for all else."""
    match value:
        case Tensor() | Batch() | DeviceRef() | Instance():
            return value.device
        case Deferred():
            return Device(ANYWHERE, value)
        case OneOf():
            return _device_of_any(value.options)
    return None


def _device_of_any(options: tuple[Value, ...]) -> Device | None:
    """The device of alternatives; one that is not known may be anywhere."""
    found: Device | None = None
    for option in options:
        device = OPEN if option is UNKNOWN else device_of(option)
        if device is not None:
            found = device if found is None else found.join(device)
    return None if found is OPEN else found
