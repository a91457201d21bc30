"""The results of Python's functions for iterables and numbers: `zip`, `next`, `sum`, `map`, `chain`, `defaultdict`."""

from __future__ import annotations

from collections.abc import Callable

from ...facts import host
from ..values.arguments import Arguments
from ..values.containers import element
from ..values.joining import join_all
from ..values.ops import Op
from ..values.union import UNKNOWN, Class, Deferred, Function, Host, Module, Sequence, Tensor, Value, defer


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
    if not arguments.positional:
        return Sequence("dict", tuple(arguments.keywords.values()), keys=tuple(arguments.keywords))
    match element(arguments.first()):
        case Sequence(items=(_, value)):
            return Sequence("dict", None, value)
    return arguments.first()


def _next(arguments: Arguments) -> Value:
    """Return what `next(items)` takes from an iterator: what iterating over it yields, or the default."""
    return join_all((element(arguments.first()), *arguments.positional[1:]))


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
            result = defer(Op.CALL_VALUE, "", (function, *(element(value) for value in rest)))
        case _:
            result = UNKNOWN
    return Sequence("iter", None, result)


def _filtered(arguments: Arguments) -> Value:
    return Sequence("iter", None, element(arguments.positional[-1]) if arguments.positional else UNKNOWN)


def _deque(arguments: Arguments) -> Value:
    return _listed("list")(arguments) if arguments.positional else Sequence("list", ())


def _default_dict(arguments: Arguments) -> Value:
    """Return a dict that makes what it lacks, which is what the first argument returns."""
    factory, *rest = arguments.positional or (UNKNOWN,)
    return Sequence("dict", None, _made_by(factory)) if not rest and not arguments.keywords else UNKNOWN


def _made_by(factory: Value) -> Value:
    """Return what calling a factory without arguments makes."""
    match factory:
        case Function("list" | "dict" | "set" as name):
            return Sequence(name, ())
        case Function("int" | "float" | "bool" | "str" as name):
            return Host(name)
        case Function() | Class() | Module() | Deferred():
            return defer(Op.CALL_VALUE, "", (factory,))
    return UNKNOWN


def _chain(arguments: Arguments) -> Value:
    return Sequence("iter", None, join_all(map(element, arguments.positional)))


def _chain_of(arguments: Arguments) -> Value:
    return Sequence("iter", None, element(element(arguments.first())))


def _product(arguments: Arguments) -> Value:
    return Sequence("iter", None, Sequence("tuple", tuple(map(element, arguments.positional))))


def _same_elements(arguments: Arguments) -> Value:
    return Sequence("iter", None, element(arguments.first()))


def _reduced(arguments: Arguments) -> Value:
    """Return what `functools.reduce` makes of items: what its function makes of two of them."""
    match arguments.positional:
        case [Function() | Class() | Module() | Deferred() as function, items, *start]:
            each = element(items)
            return defer(Op.CALL_VALUE, "", (function, join_all([each, *start]), each))
    return UNKNOWN


BUILTINS: dict[str, Callable[[Arguments], Value]] = {
    "zip": _zip,
    "enumerate": _enumerate,
    "list": _listed("list"),
    "tuple": _listed("tuple"),
    "set": _listed("set"),
    "sorted": _listed("list"),
    "reversed": _listed("iter"),
    **dict.fromkeys(("dict", *host.DICTS), _dict),
    "vars": lambda _: Sequence("dict"),
    "next": _next,
    "sum": _sum,
    "max": _extreme,
    "min": _extreme,
    "abs": _absolute,
    "map": _mapped,
    "filter": _filtered,
    "collections.deque": _deque,
    "collections.defaultdict": _default_dict,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_of,
    "itertools.product": _product,
    "itertools.zip_longest": _zip,
    **dict.fromkeys(("itertools.cycle", "itertools.islice"), _same_elements),
    "functools.reduce": _reduced,
}
