"""Reads calls: finds the callee and returns the result's value."""

from __future__ import annotations

import ast
from dataclasses import replace

from ...facts import dtypes, hidden_checks, libraries, modules
from ..library import container_methods, objects, results, tensor_methods
from ..library.access import TENSOR_METHODS, shown_tensor
from ..library.annotations import value_of
from ..library.callbacks import opened
from ..often import gates
from ..values.arguments import Arguments, Keywords
from ..values.joining import join_all
from ..values.lattice import ANY_MEMORY, ARRAY, CPU, GPU, OPEN, Device
from ..values.tensors import as_device
from ..values.union import (
    NONE,
    SPREAD,
    UNKNOWN,
    Batch,
    Class,
    Deferred,
    DeviceRef,
    Function,
    Host,
    Instance,
    Module,
    OneOf,
    Sequence,
    Tensor,
    Value,
    defer,
    options_of,
)
from . import narrowing
from .call_frequency import CallFrequency
from .default_device import on_default
from .scope import path


class Calls(CallFrequency):
    """The part of the reader that evaluates calls."""

    def call(self, node: ast.Call) -> Value:
        callee = self.eval(node.func)
        positional, keywords = self.arguments(node)
        self.watch_frequency(node, callee, positional)
        if any(key in libraries.HOST_BATCH and _is_text(value, libraries.HOST_BATCH[key]) for key, value in keywords):
            return Batch(Device(CPU, None, self.because(node, "tokenizers and processors return tensors on the host")))
        value = self.recorder.same(self.apply(node, callee, positional, keywords))
        self.note_copies(node, callee, value)
        return value

    def arguments(self, node: ast.Call) -> tuple[tuple[Value, ...], Keywords]:
        """Return the values of the arguments; `*items` counts as one of them, `**items` is read but dropped."""
        positional = tuple(self.eval(argument) for argument in node.args)
        evaluated = [(keyword.arg, self.eval(keyword.value)) for keyword in node.keywords]
        return positional, tuple((name, value) for name, value in evaluated if name is not None)

    def given(
        self, node: ast.Call, receiver: Value | None, positional: tuple[Value, ...], keywords: Keywords
    ) -> Arguments:
        """Return the arguments, with this location as the reason for what the call makes of them."""
        given = _without_spread(node, positional)
        return Arguments(receiver, given, keywords, lambda message: self.because(node, message))

    def apply(self, node: ast.Call, callee: Value, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the value of calling `callee`."""
        match callee:
            case Function(name, None) | Module(name):
                return self.apply_named(node, name, positional, keywords)
            case Class(name):
                return self.construct(node, name, positional, keywords)
            case Function(name, receiver) if receiver is not None:
                return self.apply_method(node, name, receiver, positional, keywords)
            case Instance():
                return self.apply_instance(node, callee, positional, keywords)
            case Batch():
                return Batch(callee.device)
            case Deferred():
                return self.apply_deferred(node, callee, positional, keywords)
            case OneOf():
                options = (option for option in callee.options if option != NONE)
                return join_all(self.apply(node, option, positional, keywords) for option in options)
            case Host():
                self.note_host_method(node, positional, keywords)
                return Host("object") if callee.kind != "ndarray" else callee
        return UNKNOWN

    # -- functions -----------------------------------------------------------------------------------------------------

    def apply_named(self, node: ast.Call, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the value of calling a function by its full name."""
        if name.startswith(TENSOR_METHODS) and positional:
            return self.apply_method(node, name, positional[0], positional[1:], keywords)
        if self.file.is_local(name):
            return self.call_of_project(name, positional, keywords)
        arguments = self.given(node, None, positional, keywords)
        if name.rpartition(".")[2][:1].isupper() and any(keyword.arg is None for keyword in node.keywords):
            arguments.keywords[SPREAD] = UNKNOWN
        self.note_default(node, name, arguments)
        default = self.with_default(name, arguments)
        self.note_function(node, name, arguments)
        match name, positional:
            case "getattr", (base, Host("str", str() as attribute), *_):
                return self.read_attribute(base, attribute)
            case "typing.cast", (_, subject):
                return narrowing.cast(subject, value_of(node.args[0], self.eval))
            case "setattr", (Instance(cls), Host("str"), each) if cls == self.cls and self.spread in options_of(each):
                self.file.summary.functions[self.scope].binding |= isinstance(node.args[1], ast.Name)
        value = results.call(name, arguments)
        if value is None:
            return self.call_of_project(name, positional, keywords)
        if default is not None:
            return on_default(value, default)
        followed = libraries.class_kind(name) in libraries.FOLLOWED
        return self.made_here(node, name, value, arguments) if followed else value

    def made_here(self, node: ast.Call, name: str, value: Value, arguments: Arguments) -> Value:
        """Return a metric or loader with the location of its constructor's call, which is recorded."""
        if not isinstance(value, Instance):
            return value
        self.note_watched(node, name, None, arguments)
        return replace(value, made=self.recorder.span(node))

    def call_of_project(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the deferred call of a function that linking may know, which is recorded."""
        self.note_call(name, positional, keywords)
        return defer("call", name, positional, keywords)

    def construct(self, node: ast.Call, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return an instance of a class of this file."""
        numbered = tuple((str(at), value) for at, value in enumerate(positional))
        self.note_call(f"{name}.__init__", (Instance(name), *positional), keywords)
        made = self.recorder.span(node) if self.file.kind_of(name) == "metric" else None
        return Instance(name, numbered + keywords, None, made)

    # -- methods -------------------------------------------------------------------------------------------------------

    def apply_method(
        self, node: ast.Call, name: str, receiver: Value, positional: tuple[Value, ...], keywords: Keywords
    ) -> Value:
        """Return the value of calling a method of `receiver` by its full name."""
        last = name.rpartition(".")[2]
        if isinstance(receiver, Deferred):
            question = defer("attribute", last, (receiver,))
            return self.apply(node, question, positional, keywords)
        if self.file.is_local(name):
            return self.call_of_project(name, (receiver, *positional), keywords)
        if isinstance(receiver, Batch):
            receiver = self.shown_tensor(node, receiver, last)
        arguments = self.given(node, receiver, positional, keywords)
        self.note_handed(node, last, arguments)
        if last in self.file.watched.methods:
            self.note_watched(node, name, receiver, arguments)
        match receiver:
            case Tensor() | Batch() if name.startswith(TENSOR_METHODS):
                self.note_signature(node, name, Arguments(None, positional, keywords))
                if last == "copy_" and isinstance(node.func, ast.Attribute) and (key := path(node.func.value)):
                    self.copy_into(node.func.value, key, receiver, arguments)
                return tensor_methods.method(last, receiver, arguments) or UNKNOWN
            case Batch():
                return container_methods.of_batch(receiver, last)
            case Sequence():
                return self.change_sequence(node, last, receiver, arguments)
            case Instance():
                return self.library_method(receiver, last, arguments)
            case OneOf():
                options = (option for option in receiver.options if option != NONE)
                return join_all(self.apply_method(node, name, option, positional, keywords) for option in options)
        return UNKNOWN

    def shown_tensor(self, node: ast.Call, receiver: Value, method: str) -> Value:
        """Return what the receiver of a method turns out to be, and bind its name to that from here on."""
        found = shown_tensor(receiver, method, self.tensor_methods)
        match node.func:
            case ast.Attribute(value=ast.Name(id=name)) if found is not receiver:
                self.assign_name(name, found)
        return found

    def copy_into(self, target: ast.expr, key: str, receiver: Value, arguments: Arguments) -> None:
        """Handle `target.copy_(source, non_blocking=True)`: the value of the name is complete only later."""
        if (changed := tensor_methods.copied_into(receiver, arguments)) is not None:
            self.copying = True
            self.assign_path(target, key, changed)

    def library_method(self, receiver: Instance, name: str, arguments: Arguments) -> Value:
        """Return the result of a method of an instance of a library class, or of a class derived from one."""
        self.register(receiver, name, arguments)
        kind = self.file.kind_of(receiver.cls)
        self.note_passed_functions(arguments)
        return objects.of_library_object(receiver, kind, name, arguments) if kind else UNKNOWN

    def register(self, receiver: Instance, name: str, arguments: Arguments) -> None:
        """Bind attributes by `register_buffer` and `add_state`; a buffer moves with its module."""
        by_name = [arguments.keywords[each] for each in modules.REGISTERED_AS if each in arguments.keywords]
        match (*arguments.positional, *by_name):
            case (Host(_, str() as key), value, *_) if name in modules.REGISTERING:
                self.file.set_attribute(receiver, key, _moves_with_module(value, name == "register_buffer"))

    def change_sequence(self, node: ast.Call, name: str, receiver: Sequence, arguments: Arguments) -> Value:
        """Return the result of a list, tuple or dict method; one that adds items changes what the name holds."""
        changed = container_methods.added_to(receiver, name, arguments)
        if changed is not None and isinstance(node.func, ast.Attribute) and (key := path(node.func.value)):
            self.assign_path(node.func.value, key, changed)
        return container_methods.of_sequence(receiver, name, arguments)

    # -- objects and questions -----------------------------------------------------------------------------------------

    def apply_instance(
        self, node: ast.Call, callee: Instance, positional: tuple[Value, ...], keywords: Keywords
    ) -> Value:
        """Return the value of calling an instance: of this file's class, a metric, a module."""
        if (direct := opened(callee, positional, keywords)) is not None:
            return self.apply(node, *direct)
        kind = self.file.kind_of(callee.cls)
        arguments = self.given(node, callee, positional, keywords)
        if callee.cls in self.file.summary.classes:
            if kind == "metric":
                self.note_watched(node, "?()", callee, arguments)
            return self.call_of_project(f"{callee.cls}.__call__", (callee, *positional), keywords)
        if kind == "metric" or hidden_checks.is_called(callee.cls):
            self.note_watched(node, f"{callee.cls}.__call__", callee, arguments)
        made = objects.called(callee, kind, self.given(node, None, positional, keywords))
        if made is UNKNOWN and kind is None:
            return self.call_of_project(f"{callee.cls}.__call__", (callee, *positional), keywords)
        return made

    def apply_deferred(
        self, node: ast.Call, callee: Deferred, positional: tuple[Value, ...], keywords: Keywords
    ) -> Value:
        """Return a call that linking must resolve: a method of an open value, or an open value itself."""
        arguments = Arguments(None, positional, keywords)
        if callee.name in dtypes.TYPED_CLASSES:
            return self.typed(node, callee.name, arguments)
        self.note_passed_functions(arguments)
        if callee.op != "attribute":
            self.note_watched(node, "?()", callee, arguments)
            return defer("call_value", gates.last_name(node.func), (callee, *positional), keywords)
        base = self.recorder.same(callee.operands[0])
        self.note_open_method(node, callee, base, arguments)
        given = self.placed(node, callee.name, _without_spread(node, positional))
        return defer("method", callee.name, (base, *given), keywords)

    def typed(self, node: ast.Call, name: str, arguments: Arguments) -> Value:
        """Return the result of `get_accelerator().FloatTensor([…])`: a legacy constructor, on an open device."""
        if node.args:
            self.note_numbers(node.args[0], arguments.positional[0], f"`{name}`")
        return Tensor(OPEN, dtypes.TENSOR_CLASSES[name], ARRAY)

    def placed(self, node: ast.Call, name: str, positional: tuple[Value, ...]) -> tuple[Value, ...]:
        """Return the arguments of a call that moves an open value, with this location as the new device's reason."""
        if name == "cuda":
            return (DeviceRef(Device(GPU, None, self.because(node, "moved to the GPU here"))),)
        if name != "to" or not positional:
            return positional
        device = as_device(positional[0], self.because(node, "moved here by `.to(…)`"))
        if device is None or isinstance(positional[0], Tensor | Batch):
            return positional
        return (DeviceRef(device), *positional[1:])


def _without_spread(node: ast.Call, positional: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the arguments of a library function; `*sizes` is any number of sizes, which says nothing about a rank."""
    if not any(isinstance(argument, ast.Starred) for argument in node.args):
        return positional
    pairs = zip(node.args, positional)
    spread = (isinstance(each, ast.Starred) and isinstance(value, Host | Deferred) for each, value in pairs)
    return tuple(UNKNOWN if is_spread else value for is_spread, value in zip(spread, positional))


def _is_text(value: Value, text: str) -> bool:
    return isinstance(value, Host) and value.constant == text


def _moves_with_module(value: Value, is_buffer: bool) -> Value:
    if isinstance(value, OneOf):
        return join_all(_moves_with_module(option, is_buffer) for option in value.options)
    if isinstance(value, Deferred) and is_buffer:
        return Tensor()
    if isinstance(value, Tensor) and not value.device.on_gpu:
        return Tensor(OPEN, value.dtype, value.rank, ANY_MEMORY)
    return value
