"""What an expression can be: a small closed union of frozen values, made to be `match`ed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from ..finding import Confidence, Span
from .lattice import (
    ANY_DTYPE,
    ANY_MEMORY,
    ANY_RANK,
    ANYWHERE,
    OPEN,
    PINNED,
    Device,
    dtype_name,
    memory_name,
    rank_name,
)

MOST_DEPTH: Final = 40
"""A deferred term that grows beyond this (in a loop, say) is Unknown."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing is known; nothing is reported. There is one object of it, also behind a process boundary."""

    def __reduce__(self) -> str:
        return "UNKNOWN"

    def __str__(self) -> str:
        return "Unknown"


UNKNOWN: Final = Unknown()


@dataclass(frozen=True, slots=True)
class Tensor:
    """A torch.Tensor; each property is a set of flags (see `lattice`).

    `by_use` says that it is taken for a tensor because of how it is used, not because of where it came from. `maker` is
    the function that has just made it on the host out of numbers. `pending` says how sure it is that the device may
    still be writing to it: the result of a copy to the host that nothing has waited for.
    """

    device: Device = OPEN
    dtype: int = ANY_DTYPE
    rank: int = ANY_RANK
    memory: int = ANY_MEMORY
    by_use: str = ""
    maker: str = ""
    pending: Confidence | None = None

    def __str__(self) -> str:
        parts = [str(self.device), dtype_name(self.dtype), rank_name(self.rank), *_state(self)]
        return f"Tensor[{', '.join(part for part in parts if part not in ('?', 'rank ?'))}]"


def _state(tensor: Tensor) -> tuple[str, ...]:
    """What the text of a tensor says besides; pageable memory is the rule and goes without saying."""
    return ("pinned" if tensor.memory == PINNED else "?", "pending" if tensor.pending else "?")


@dataclass(frozen=True, slots=True)
class Batch:
    """A tensor or a container of tensors that all live on one device: what a loader yields, what a model returns.

    `source` is where the DataLoader that yields it was made; `named` is the name of what yields it, where nothing but
    that name says that it is a loader.
    """

    device: Device = OPEN
    memory: int = ANY_MEMORY
    source: Span | None = None
    named: str = ""

    def __str__(self) -> str:
        memory = memory_name(self.memory)
        return f"Batch[{self.device}]" if memory == "?" else f"Batch[{self.device}, {memory}]"


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
    """A class by its full name; `alias` is what an annotation promises where the name stands for other types."""

    name: str
    alias: Value | None = None

    def __str__(self) -> str:
        return f"class {self.name}"


SPREAD: Final = "**"
"""The name of a constructor's arguments that come out of a dict."""


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class, with the arguments it was made with and, for a module or metric, its device.

    `made` is where its constructor was called; it is kept for metrics and loaders, whose life is followed.
    """

    cls: str
    arguments: tuple[tuple[str, Value], ...] = ()
    device: Device | None = None
    made: Span | None = None

    def argument(self, name: str) -> Value | None:
        """The constructor's argument of that name; positional ones are named `0`, `1` and so on."""
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

    `op` is `parameter`, or `name` where nobody binds it, or an operation on other values: `attribute`, `call`,
    `call_value`, `method`, `binary`, `unary`, `index`, `element` (what iterating yields), `item` (of several that are
    unpacked), `batch` (what a loader by its name yields), `declared` (a parameter by its class, which another file may
    define), `data` (what `torch.tensor` is given), `without` (kinds that a condition excludes). `name` is the
    parameter's, function's, attribute's or operator's name. Two terms are the same question only if they are the same
    object.
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
    for value in (option for operand in operands for option in options_of(operand)):
        if isinstance(value, Deferred) and value.depth >= depth:
            depth = value.depth + 1
    for _, value in keywords:
        if isinstance(value, Deferred) and value.depth >= depth:
            depth = value.depth + 1
    return UNKNOWN if depth > MOST_DEPTH else Deferred(op, name, operands, keywords, depth)


def is_none(value: Value) -> bool:
    """The value is None for sure."""
    return isinstance(value, Host) and value.kind == "NoneType"


def options_of(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value; itself where there is one only."""
    return value.options if isinstance(value, OneOf) else (value,)


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
    return None if found == OPEN else found
