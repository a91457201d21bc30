"""Functions that a program hands on to be called: partial functions, hooks, callbacks of libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from ...facts import modules
from ...facts.callbacks import CALLBACKS, COMPOSED, FULL_NAMES, IN_TURN, ITSELF, KEYWORD_CALLBACKS, Argument, Callback
from ...facts.engines import ENGINES
from ...facts.solvers import SOLVERS
from ...limits import DEEPEST_LISTS
from ..values.arguments import Arguments, Keywords
from ..values.containers import element
from ..values.joining import join_all
from ..values.lattice import CPU, OPEN, Device
from ..values.ops import Op
from ..values.placement import device_of
from ..values.union import (
    UNKNOWN,
    Batch,
    Class,
    Deferred,
    Function,
    Host,
    Instance,
    Module,
    Sequence,
    Value,
    options_of,
)

PARTIAL: Final = "functools.partial"
MADE: Final = "()"
"""Suffix to the name of a function of the project, for the function that it returns."""
ITEMS: Final = "[]"
"""Suffix to the name of an attribute, for the items of what it holds."""


Meant: TypeAlias = Callable[[Value], Value]


class Opened(NamedTuple):
    """A call that replaces another."""

    callee: Value
    positional: tuple[Value, ...]
    keywords: Keywords


class FunctionCall(NamedTuple):
    """A function by its full name, and everything it is called with."""

    function: str
    positional: tuple[Value, ...]
    keywords: Keywords


def partial(arguments: Arguments) -> Value:
    """Return what `functools.partial` creates."""
    numbered = [(str(at), value) for at, value in enumerate(arguments.positional)]
    return Instance(PARTIAL, (*numbered, *arguments.keywords.items()))


def opened(callee: Value, positional: tuple[Value, ...], keywords: Keywords) -> Opened | None:
    """Return what a call of a partial function calls, with which arguments; None for anything else."""
    if not isinstance(callee, Instance) or callee.cls != PARTIAL or not callee.arguments:
        return None
    (name, function), *given = callee.arguments
    if name != "0":
        return None
    first = (value for key, value in given if key.isdigit())
    named = {key: value for key, value in given if not key.isdigit()}
    return Opened(function, (*first, *positional), tuple({**named, **dict(keywords)}.items()))


def function_call(callee: Value, positional: tuple[Value, ...], keywords: Keywords = ()) -> FunctionCall | None:
    """Return what a call of a function, bound method or partial function finally calls; None for anything else."""
    while (inner := opened(callee, positional, keywords)) is not None:
        callee, positional, keywords = inner
    if isinstance(callee, Deferred) and (maker := maker_of(callee)) is not None:
        return FunctionCall(maker + MADE, positional, keywords)
    if isinstance(callee, Module) and "." in callee.name:
        return FunctionCall(callee.name, positional, keywords)
    if not isinstance(callee, Function):
        return None
    receiver = () if callee.receiver is None else (callee.receiver,)
    return FunctionCall(callee.name, (*receiver, *positional), keywords)


def parameter_of(value: Value) -> Deferred | None:
    """Return the parameter whose question a value is, unless that is None; it may have been moved since."""
    while isinstance(value, Deferred) and value.op is not Op.PARAMETER:
        if value.op not in (Op.WITHOUT, Op.DECLARED) and not _is_itself(value):
            return None
        value = value.operands[0]
    return value if isinstance(value, Deferred) else None


def maker_of(value: Value) -> str | None:
    """Return the function of the program that makes a value, or what has it as a part: `build.[1]`, `build.[loss]`.

    It may have been moved since.
    """
    match _as_made(value):
        case Deferred(Op.CALL, name):
            return name
        case Deferred(Op.ITEM | Op.INDEX | Op.ELEMENT | Op.ATTRIBUTE, name, (whole, *at)) as part if len(at) < 2:
            maker = maker_of(whole)
            return None if maker is None else part_name(maker, _place(part.op, name, at))
        case Deferred(Op.METHOD, "values", (whole, *_)):
            return maker_of(whole)
    return None


def _place(op: Op, name: str, at: list[Value]) -> object:
    """Return the place of a part of a tuple or list, or its key in a dict; None if it may be any."""
    if op is Op.ITEM:
        return int(name.partition("/")[0])
    if op is Op.ATTRIBUTE:
        return name
    return at[0].constant if at and isinstance(at[0], Host) else None


def part_name(maker: str, key: object = None) -> str:
    """Return the name for a part of what a function makes: that under a key, or any."""
    is_known = isinstance(key, int) or (isinstance(key, str) and key.isidentifier())
    return f"{maker}.[{key if is_known else ''}]"


def makers_of(value: Value) -> list[str]:
    """Return what may be called to make a value: classes of other files, perhaps; it may have been moved since."""
    match _as_made(value):
        case Deferred() as made if (maker := maker_of(made)) is not None:
            return [maker]
        case Deferred(Op.CALL_VALUE, _, (callee, *_)):
            return [each.name for each in options_of(callee) if isinstance(each, Class | Function | Module)]
    return []


def _as_made(value: Value) -> Value:
    """Return a value as it was before it was moved, or bound to a name."""
    while isinstance(value, Deferred) and (value.op is Op.BOUND or _is_itself(value)):
        value = value.operands[0]
    return value


def _is_itself(value: Deferred) -> bool:
    """Whether a value is what a method of a module returns that returns the module, or the module that is wrapped."""
    is_wrapped = value.op is Op.ATTRIBUTE and value.name == modules.WRAPPED
    return is_wrapped or (value.op is Op.METHOD and value.name in modules.SELF_METHODS)


def handed(name: str, arguments: Arguments, meant: Meant) -> Iterator[tuple[Callback, FunctionCall]]:
    """Yield the functions that a library call hands on, as far as it is known how they will be called.

    `meant` tells what a function given by an open value is.
    """
    row = FULL_NAMES.get(name) or ENGINES.get(name) or CALLBACKS.get(name.rpartition(".")[2])
    for each in SOLVERS.get(name, ()) if row is None else (row,):
        yield from _handed(each, arguments, meant)
    for keyword in KEYWORD_CALLBACKS.keys() & arguments.keywords.keys() if arguments.keywords else ():
        yield from _handed(KEYWORD_CALLBACKS[keyword], arguments, meant)


def _handed(row: Callback, arguments: Arguments, meant: Meant) -> Iterator[tuple[Callback, FunctionCall]]:
    value = _argument(row.at, row.name, arguments)
    given = tuple(item for kind in row.gives for item in _given(kind, row, arguments))
    several = _each_of(meant(value), DEEPEST_LISTS)
    for each in _with_parts(several, DEEPEST_LISTS) if row.how_often == COMPOSED else several:
        if isinstance(each, Instance) and each.cls != PARTIAL:
            yield row, FunctionCall(f"{each.cls}.__call__", (each, *given), ())
        elif calls := [*_open_calls(each, given)]:
            yield from ((row, call) for call in calls)
        elif (call := function_call(each, given)) is not None:
            yield row, call


def _open_calls(value: Value, given: tuple[Value, ...]) -> Iterator[FunctionCall]:
    """Yield the calls of an object that only linking knows: made by others, or held by an attribute."""
    match value:
        case Deferred(Op.ATTRIBUTE, name, (Instance(cls) | Deferred(Op.DECLARED, cls) as base, *_)):
            yield FunctionCall(f"{cls}.{name}", (base, *given), ())
        case _:
            yield from (FunctionCall(f"{made}.__call__", (value, *given), ()) for made in makers_of(value))


def _argument(at: int, name: str, arguments: Arguments) -> Value:
    """Return what is given by keyword or at a position, or the object itself."""
    if name == ITSELF:
        return arguments.receiver or UNKNOWN
    value = arguments.keywords.get(name, UNKNOWN)
    return arguments.positional[at] if value is UNKNOWN and 0 <= at < len(arguments.positional) else value


def _each_of(value: Value, depth: int) -> Iterator[Value]:
    """Yield what is called where this is: itself, or what it holds if it is a list or calls one after the other."""
    held: tuple[Value, ...] = ()
    if isinstance(value, Sequence):
        held = (*(value.items or ()), value.element)
    elif isinstance(value, Instance) and is_held(value):
        held = tuple(given for _, given in value.arguments)
    elif value is not UNKNOWN:
        yield value
    if held and not depth:
        DEEPEST_LISTS.met()
    for each in held if depth else ():
        for option in options_of(each):
            yield from _each_of(option, depth - 1)


def _with_parts(values: Iterable[Value], depth: int) -> Iterator[Value]:
    """Yield what is composed, and the objects that it is made from: a choice between transforms calls one of them."""
    for each in values:
        yield each
        for part in _made_from(each) if depth else ():
            objects = (held for held in _each_of(part, DEEPEST_LISTS) if isinstance(held, Instance) or makers_of(held))
            yield from _with_parts(objects, depth - 1)


def _made_from(value: Value) -> tuple[Value, ...]:
    """Return what an object is made from, if it is one."""
    match value:
        case Instance(arguments=given):
            return tuple(each for _, each in given)
        case Deferred(Op.CALL, _, operands, named):
            return (*operands, *(each for _, each in named))
    return ()


def is_held(value: Value | None) -> bool:
    """Whether what is given for a function is a list of them, or calls what it holds one after the other."""
    return isinstance(value, Sequence) or (isinstance(value, Instance) and value.cls.rpartition(".")[2] in IN_TURN)


def _part(value: Value, part: str) -> tuple[Value, ...]:
    if part == "items" and isinstance(value, Sequence):
        return value.items or (value.element,)
    return (element(value) if part == "each" else value,)


def _given(kind: str | Argument, row: Callback, arguments: Arguments) -> tuple[Value, ...]:
    match kind:
        case Argument():
            return _part(_argument(kind.at, kind.name, arguments), kind.part)
        case "self":
            return (arguments.receiver or UNKNOWN,)
        case "tensors":
            return (Batch((device_of(arguments.receiver) if arguments.receiver else None) or OPEN),)
        case "host":
            return (Host("object"),)
        case "loaded":
            return (
                Batch(Device(CPU, None, arguments.reason("an engine passes on batches of its loader, on the host"))),
            )
        case "rest":
            return tuple(arguments.positional[row.at + 1 :])
        case "args":
            behind = arguments.positional[row.at + 1] if row.at + 1 < len(arguments.positional) else UNKNOWN
            args = arguments.keywords.get("args", behind)
            return args.items or () if isinstance(args, Sequence) else ()
        case "elements":
            return tuple(element(value) for value in arguments.positional[row.at + 1 :])
        case "of first":
            return (element(arguments.first()),)
        case "of second":
            return tuple(element(value) for value in arguments.positional[1:2])
        case "largest":
            several = arguments.receiver is None and len(arguments.positional) > 1
            return (join_all(arguments.positional) if several else element(arguments.first()),)
    return (UNKNOWN,)
