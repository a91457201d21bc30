"""The result of calling a value, wherever it is called: functions, methods, classes, objects."""

from __future__ import annotations

from ...facts.modules import IN_ORDER
from ..values.arguments import Keywords
from ..values.joining import join_all
from ..values.module_lists import as_module, contents
from ..values.ops import Op
from ..values.union import (
    NONE,
    UNKNOWN,
    Batch,
    Class,
    Deferred,
    Function,
    Host,
    Instance,
    Module,
    OneOf,
    Sequence,
    Tensor,
    Unknown,
    Value,
    defer,
)
from . import container_methods, objects, results, tensor_methods
from .access import TENSOR_METHODS, taking
from .callbacks import opened
from .promises import CALLABLE, returned
from .world import World


def apply(callee: Value, positional: tuple[Value, ...], keywords: Keywords, world: World) -> Value:
    """Return the result of calling `callee`."""
    match callee:
        case Function(name, None) | Module(name):
            return named(name, positional, keywords, world)
        case Class(alias=Sequence("dict")):
            return named("dict", positional, keywords, world)
        case Class(name):
            return world.construct(name, positional, keywords)
        case Function(name, receiver) if receiver is not None:
            return method(name, receiver, positional, keywords, world)
        case Instance():
            return _object(callee, positional, keywords, world)
        case Batch():
            return Batch(callee.device, computed=True)
        case Deferred():
            return world.ask(callee, positional, keywords)
        case OneOf():
            return _any_of(callee, positional, keywords, world)
        case Host():
            world.host_called(callee, positional, keywords)
            return Host("object") if callee.kind != "ndarray" else callee
        case Unknown():
            world.host_called(callee, positional, keywords)
    return UNKNOWN


def _any_of(callee: OneOf, positional: tuple[Value, ...], keywords: Keywords, world: World) -> Value:
    """Return the result of calling one of several; if it is open for more than can be told apart, as one question."""
    found = [apply(option, positional, keywords, world) for option in callee.options if option != NONE]
    value = join_all(found)
    is_open = value is UNKNOWN and all(isinstance(each, Deferred) for each in found)
    return world.ask_many(callee, positional, keywords) if is_open else value


def named(name: str, positional: tuple[Value, ...], keywords: Keywords, world: World) -> Value:
    """Return the result of calling a function by its full name."""
    if name.startswith(TENSOR_METHODS) and positional:
        return method(name, positional[0], positional[1:], keywords, world)
    if (found := world.result(name, positional, keywords)) is not None:
        return found
    arguments = world.given(None, positional, keywords)
    if (found := world.called(name, arguments)) is not None:
        return found
    match name, positional:
        case "getattr", (base, Host("str", str() as attribute), *_):
            return world.attribute(base, attribute)
    value = results.call(name, arguments)
    return world.unknown(name, positional, keywords) if value is None else world.made(name, value, arguments)


def method(name: str, receiver: Value, positional: tuple[Value, ...], keywords: Keywords, world: World) -> Value:
    """Return the result of calling a method of `receiver` by its full name."""
    last = name.rpartition(".")[2]
    if isinstance(receiver, Deferred):
        return apply(defer(Op.ATTRIBUTE, last, (receiver,)), positional, keywords, world)
    if isinstance(receiver, Instance | Class):
        if (found := world.result(name, (receiver, *positional), keywords)) is not None:
            return found
    elif isinstance(receiver, OneOf):
        options = (option for option in receiver.options if option != NONE)
        return join_all(method(name, option, positional, keywords, world) for option in options)
    elif isinstance(receiver, Batch) and taking(receiver, last, len(positional), dict(keywords)) is UNKNOWN:
        return apply(receiver, positional, keywords, world)  # a method of another object, which tensors do not have
    arguments = world.given(receiver, positional, keywords)
    arguments.receiver = receiver = world.method_called(name, receiver, arguments)
    match receiver:
        case Tensor() | Batch() if name.startswith(TENSOR_METHODS):
            world.tensor_changed(last, receiver, arguments)
            return tensor_methods.method(last, receiver, arguments) or UNKNOWN
        case Batch():
            return container_methods.of_batch(receiver, last)
        case Sequence():
            world.sequence_changed(last, receiver, arguments)
            return container_methods.of_sequence(receiver, last, arguments)
        case Instance():
            world.object_changed(last, receiver, arguments)
            kind = world.kind(receiver.cls)
            return objects.of_library_object(receiver, kind, last, arguments) if kind else UNKNOWN
    return UNKNOWN


def _in_order(callee: Instance, positional: tuple[Value, ...], world: World) -> Value:
    """Return the result of calling modules one after the other, each with what the one before returned."""
    held = contents(callee)
    if held is None or not (several := (held.element,) if held.items is None else held.items):
        return UNKNOWN
    for each in several:
        positional = (apply(as_module(each, callee), positional, (), world),)
    return positional[0]


def _object(callee: Instance, positional: tuple[Value, ...], keywords: Keywords, world: World) -> Value:
    """Return the result of calling an object: a partial function, one of the program's, a metric, a module."""
    if (direct := opened(callee, positional, keywords)) is not None:
        return apply(*direct, world)
    if callee.cls == CALLABLE:
        return returned(callee, (*positional, *(value for _, value in keywords)))
    world.object_called(callee, world.given(callee, positional, keywords))
    kind, full = world.kind(callee.cls), f"{callee.cls}.__call__"
    if world.owns(callee.cls) and (found := world.result(full, (callee, *positional), keywords)) is not None:
        return found
    chained = _in_order(callee, positional, world) if callee.cls == IN_ORDER else UNKNOWN
    if chained is not UNKNOWN:
        return chained
    made = objects.called(callee, kind, world.given(None, positional, keywords))
    return world.unknown(full, (callee, *positional), keywords) if made is UNKNOWN and kind is None else made
