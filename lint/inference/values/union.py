"""The values of expressions: a small closed union of frozen values, designed for `match`.

Each has a `depth`, how deep values are nested in it, and a `size`, how many there are. Both are bounded.
"""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Final, TypeAlias

from ...finding import Confidence, Span
from ...plain import dataclass
from .extent import OnDevice, Plain, depth_over, extent, fits
from .lattice import ANY_DTYPE, ANY_MEMORY, ANY_RANK, OPEN, PINNED, Device, dtype_name, memory_name, rank_name
from .ops import Op


@dataclass(frozen=True, slots=True)
class Unknown(Plain):
    """Nothing is known, so nothing is reported; a singleton, even across processes."""

    def __reduce__(self) -> str:
        return "UNKNOWN"

    def __str__(self) -> str:
        return "Unknown"


UNKNOWN: Final = Unknown()


@dataclass(frozen=True, slots=True)
class Tensor(OnDevice):
    """A torch.Tensor; each property is a set of flags (see `lattice`).

    `by_use` says that it is assumed to be a tensor because of how it is used, not because of where it came from.
    `maker` is the function that has just created it on the host from numbers. `pending` is the confidence that the
    device may still be writing to it: the result of a copy to the host that nothing has waited for.
    """

    device: Device = OPEN
    dtype: int = ANY_DTYPE
    rank: int = ANY_RANK
    memory: int = ANY_MEMORY
    by_use: str = ""
    maker: str = ""
    pending: Confidence | None = None

    def on(self, device: Device) -> Tensor:
        """Return the same tensor on another device."""
        return Tensor(device, self.dtype, self.rank, self.memory, self.by_use, self.maker, self.pending)

    def __str__(self) -> str:
        parts = [str(self.device), dtype_name(self.dtype), rank_name(self.rank), *_state(self)]
        return f"Tensor[{', '.join(part for part in parts if part not in ('?', 'rank ?'))}]"


def _state(tensor: Tensor) -> tuple[str, ...]:
    """Return what else the text of a tensor says; pageable memory is the norm and not mentioned."""
    return ("pinned" if tensor.memory == PINNED else "?", "pending" if tensor.pending else "?")


@dataclass(frozen=True, slots=True)
class Batch(OnDevice):
    """A tensor or a container of tensors on one device: what a loader yields, what a model returns (`computed`).

    `source`: where the DataLoader that yields it was made; `named`: its name, if only that says that it is a loader.
    """

    device: Device = OPEN
    memory: int = ANY_MEMORY
    source: Span | None = None
    named: str = ""
    computed: bool = False

    def __str__(self) -> str:
        memory = memory_name(self.memory)
        return f"Batch[{self.device}]" if memory == "?" else f"Batch[{self.device}, {memory}]"


@dataclass(frozen=True, slots=True)
class Host(Plain):
    """A host value that is not a tensor: a number, text, None, a numpy array, a size.

    `kind` is the Python type's name (`int`, `str`, `NoneType`, `ndarray`, `object`, …), `constant` its literal, if any.
    """

    kind: str
    constant: object = ...

    def __str__(self) -> str:
        return self.kind if self.constant is ... else f"{self.kind} {self.constant!r}".removeprefix("NoneType ")


NONE: Final = Host("NoneType", None)


@dataclass(frozen=True, slots=True)
class DeviceRef(OnDevice):
    """A torch.device, or the string or index that names one; `is_object`: certainly the first, which equals no text."""

    device: Device
    is_object: bool = False

    def __str__(self) -> str:
        return f"device {self.device}"


@dataclass(frozen=True, slots=True)
class DTypeRef(Plain):
    """A torch dtype."""

    dtype: int

    def __str__(self) -> str:
        return f"dtype {dtype_name(self.dtype)}"


@dataclass(frozen=True, slots=True)
class Module(Plain):
    """An imported Python module, by its dotted name."""

    name: str

    def __str__(self) -> str:
        return f"module {self.name}"


@dataclass(frozen=True, slots=True)
class Function:
    """A function or a method by its full name; `receiver` is what a method is bound to."""

    name: str
    receiver: Value | None = None

    @property
    def depth(self) -> int:
        return 0 if self.receiver is None else self.receiver.depth + 1

    @property
    def size(self) -> int:
        return 1 if self.receiver is None else self.receiver.size + 1

    def __str__(self) -> str:
        return f"function {self.name}"


@dataclass(frozen=True, slots=True)
class Class(Plain):
    """A class by its full name; `alias` is what an annotation promises if the name stands for other types."""

    name: str
    alias: Value | None = None

    def __str__(self) -> str:
        return f"class {self.name}"


IMPOSSIBLE: Final = Class("typing.Never")
"""What is left of a value where it is none of what it may be."""

SPREAD: Final = "**"
"""The name of constructor arguments that are unpacked from a dict."""


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a class, with its constructor's arguments and, for a module or metric, its device.

    `made` is where its constructor was called; it is kept for metrics and loaders, whose life is followed.
    """

    cls: str
    arguments: tuple[tuple[str, Value], ...] = ()
    device: Device | None = None
    made: Span | None = None
    depth: int = field(init=False, compare=False, repr=False)
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        depth, size = extent([value for _, value in self.arguments])
        if not fits(depth, size):
            depth, size = 0, 1
            object.__setattr__(self, "arguments", ())
        object.__setattr__(self, "depth", depth if self.device is None else max(depth, self.device.depth))
        object.__setattr__(self, "size", size)

    def argument(self, name: str) -> Value | None:
        """Return the constructor's argument with that name; positional ones are named `0`, `1` and so on."""
        return dict(self.arguments).get(name)

    def __str__(self) -> str:
        where = f" on {self.device}" if self.device else ""
        return f"instance of {self.cls}{where}"


AS_PARENT: Final[tuple[tuple[str, Value], ...]] = ((SPREAD, UNKNOWN), ("super()", UNKNOWN))
"""The arguments of what `super()` stands for: an object of a derived class, made with whatever that passes on."""


PACKED: Final = "PackedSequence"
"""The kind of packed sequences: named tuples whose data may move, while their sizes stay on the host."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """A Python list, tuple, dict or iterator, or a packed sequence; `items` if each is known, else `element` for all.

    A dict's keys are in `keys`, in the order of `items`; `element` is then what it holds under others, if it may.
    """

    kind: str
    items: tuple[Value, ...] | None = None
    element: Value = UNKNOWN
    keys: tuple[object, ...] = ()
    depth: int = field(init=False, compare=False, repr=False)
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        depth, size = extent((self.element,) if self.items is None else (self.element, *self.items))
        if not fits(depth, size):
            depth, size = 0, 1
            for name, nothing in (("items", None), ("element", UNKNOWN), ("keys", ())):
                object.__setattr__(self, name, nothing)
        object.__setattr__(self, "depth", depth)
        object.__setattr__(self, "size", size)

    def __str__(self) -> str:
        inner = f"{self.element}, …" if self.items is None else ", ".join(map(str, self.items))
        return f"{self.kind}[{inner}]"


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few alternatives that do not join, such as `Tensor | None`."""

    options: tuple[Value, ...]

    @property
    def depth(self) -> int:
        return max([option.depth for option in self.options])

    @property
    def size(self) -> int:
        return sum([option.size for option in self.options])

    def __str__(self) -> str:
        return " | ".join(map(str, self.options))


@dataclass(frozen=True, slots=True, eq=False)
class Deferred:
    """A question that only linking can answer, with what was done to the answer since.

    `name` is the parameter's, function's, attribute's or operator's name. Two terms are the same question only if they
    are the same object.
    """

    op: Op
    name: str
    operands: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    depth: int = 0
    size: ClassVar[int] = 1

    def __str__(self) -> str:
        return f"{self.op.value} {self.name}?"


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


def defer(op: Op, name: str, operands: tuple[Value, ...] = (), keywords: tuple[tuple[str, Value], ...] = ()) -> Value:
    """Return a deferred term, or Unknown if it would grow too deep."""
    depth = depth_over((*operands, *(value for _, value in keywords)) if keywords else operands)
    return Deferred(op, name, operands, keywords, depth) if fits(depth) else UNKNOWN


def is_none(value: Value) -> bool:
    """Whether the value is certainly None."""
    return isinstance(value, Host) and value.kind == "NoneType"


def options_of(value: Value) -> tuple[Value, ...]:
    """Return the alternatives of a value; itself if there is only one."""
    return value.options if isinstance(value, OneOf) else (value,)
