"""The results of library functions, from the facts and the arguments' values."""

from __future__ import annotations

from typing import Final

from ...facts import dtypes, host, libraries
from ...facts.modules import CONTAINERS, IN_ORDER
from ...facts.signatures import lookup
from ..values.arguments import Arguments
from ..values.containers import element
from ..values.joining import any_item, join_all
from ..values.lattice import ANY_MEMORY, ARRAY, CPU, GPU, NO_MEMORY, Device
from ..values.module_lists import with_contents
from ..values.union import Host, Instance, Sequence, Tensor, Value, is_none
from .makers import SPECIAL, by_signature, is_nothing
from .signatures import plain

_OPERATORS: Final = "torch.ops.aten."
"""What comes before an operator's name and perhaps that of an overload: `torch.ops.aten.index.Tensor`."""


def call(name: str, arguments: Arguments) -> Value | None:
    """Return the result of calling the library function `name`; None if no fact tells."""
    if name.startswith(_OPERATORS):
        name = f"torch.{name.removeprefix(_OPERATORS).partition('.')[0]}"
    if handler := SPECIAL.get(name):
        return handler(arguments)
    if kind := host.RESULTS.get(name):
        return plain(kind)
    if name in host.SCALARS and _is_scalar(host.SCALARS[name], arguments):
        return Host("float")
    if name in host.ARRAY_TUPLES and host.ARRAY_TUPLES[name] in (None, len(arguments.all())):
        return Sequence("tuple", None, Host("ndarray"))
    root = name.partition(".")[0]
    is_class = name.rpartition(".")[2][:1].isupper()
    if not is_class and (signature := lookup(name)):
        return by_signature(name, signature, arguments)
    if name in host.PASS_THROUGH:
        return arguments.first()
    if root == "torch":
        return _torch_object(name, arguments)
    if root in host.HOST_LIBRARIES and name not in host.OF_ANYTHING:
        return Host("ndarray" if root in host.ARRAY_LIBRARIES else "object")
    if libraries.is_metric(name) or libraries.class_kind(name):
        return Instance(name, tuple(_constructor_arguments(arguments)))
    return None


def _is_scalar(limit: int, arguments: Arguments) -> bool:
    """Whether the call of a numpy function returns one number: it passes neither an axis nor a size."""
    return len(arguments.positional) <= limit and not {"axis", "size", "keepdims"} & arguments.keywords.keys()


def _torch_object(name: str, arguments: Arguments) -> Value | None:
    last = name.rpartition(".")[2]
    if last in dtypes.TENSOR_CLASSES:
        return _tensor_class(name, last, arguments)
    if last in dtypes.DTYPES and name.count(".") == 1:
        return None
    if name in CONTAINERS:
        return with_contents(Instance(name), _modules_given(name, arguments))
    if last[:1].isupper():
        return Instance(name, tuple(_constructor_arguments(arguments)))
    return None


def _modules_given(name: str, arguments: Arguments) -> Sequence:
    """Return the modules that the constructor of a container is given: in a list or dict, or one by one."""
    kind, given = CONTAINERS[name], [each for each in arguments.all() if not is_none(each)]
    if name == IN_ORDER and not any(isinstance(each, Sequence) for each in given):
        return Sequence(kind, tuple(given))
    if name == IN_ORDER:
        return Sequence(kind, None, join_all(any_item(each) if isinstance(each, Sequence) else each for each in given))
    match given:
        case (Sequence() as held, *_) if held.kind == kind:
            return held
        case (first, *_) if kind == "list":
            return Sequence(kind, None, element(first))
    return Sequence(kind) if given else Sequence(kind, ())


def _tensor_class(name: str, last: str, arguments: Arguments) -> Value:
    """Return the result of `torch.cuda.FloatTensor(…)`, `torch.LongTensor([…])`: the legacy constructors."""
    where = Device(GPU if ".cuda." in name else CPU, None, arguments.reason(f"created by `{name}`"))
    memory = NO_MEMORY if is_nothing(arguments.first()) else ANY_MEMORY
    return Tensor(where, dtypes.TENSOR_CLASSES[last], ARRAY, memory)


def _constructor_arguments(arguments: Arguments) -> list[tuple[str, Value]]:
    numbered = [(str(at), value) for at, value in enumerate(arguments.positional)]
    return numbered + list(arguments.keywords.items())
