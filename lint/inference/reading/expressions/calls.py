"""Reads calls: finds the callee and returns the result's value."""

from __future__ import annotations

import ast
from dataclasses import replace

from ....facts import dtypes, hidden_checks, libraries, modules
from ....facts.attributes import MOVES
from ...library import callbacks, container_methods, named_tuples, tensor_methods
from ...library.access import TENSOR_METHODS
from ...library.calling import apply
from ...library.command_lines import parser
from ...library.moves import moved
from ...library.shown import shown_tensor
from ...library.world import World
from ...notes.operations import OF_OBJECT, of_anything
from ...often import gates
from ...values.arguments import Arguments, Keywords
from ...values.lattice import ARRAY, CPU, GPU, HOST_BY_DEFAULT, OPEN, Device
from ...values.ops import Op
from ...values.tensors import as_device
from ...values.union import (
    SPREAD,
    UNKNOWN,
    Batch,
    Class,
    Deferred,
    DeviceRef,
    Function,
    Host,
    Instance,
    OneOf,
    Sequence,
    Tensor,
    Value,
    defer,
    options_of,
)
from ..conditions import narrowing
from ..places.attributes import OwnClasses, attribute_of, method_read, parent
from ..places.bindings import assign_path, change
from ..places.filled import filled_by_call
from ..places.kept import keep, keep_module
from ..recording.batch_moves import as_target
from ..recording.call_frequency import watch_frequency
from ..recording.call_notes import note_function, note_host_method, note_made, note_watched, spreads, without_spread
from ..recording.command_lines import note_options
from ..recording.copies import note_copies
from ..recording.distributions_made import as_inherited, note_own_made, note_parent_made
from ..recording.evidence import note_open_method, note_place, note_unknown_call
from ..recording.handed import note_call_of, note_handed, note_passed_functions
from ..recording.methods_run import note_run
from ..recording.signature_notes import note_layer, note_numbers, note_signature
from ..recording.tried import as_told
from ..state.annotations import value_of
from ..state.default_device import default_device, note_default, on_default, with_default
from ..state.frame import Frame
from ..state.scope import path
from .alternatives import note_where_chosen
from .receivers import called_on
from .told_by_calls import told

CALL = ".__call__"


def call(frame: Frame, node: ast.Call) -> Value:
    """Return the result of a call, and record what it tells."""
    callee = _callee(frame, node)
    positional, keywords = arguments_of(frame, node)
    watch_frequency(frame, node, callee, positional)
    if keywords and _makes_host_batch(keywords):
        return Batch(Device(CPU, None, frame.because(node, "tokenizers and processors return tensors on the host")))
    noted = len(frame.recorder.calls)
    note_unknown_call(frame, node, callee)
    value = frame.recorder.same(apply(callee, positional, keywords, Called(frame, node, callee)))
    note_made(frame, node, noted)
    note_copies(frame, node, callee, value)
    return told(frame, node, value)


def _callee(frame: Frame, node: ast.Call) -> Value:
    return method_read(frame, node.func, node) if isinstance(node.func, ast.Attribute) else frame.eval(node.func)


def arguments_of(frame: Frame, node: ast.Call) -> tuple[tuple[Value, ...], Keywords]:
    """Return the values of the arguments; `*items` counts as one of them, `**items` is read but dropped."""
    positional = tuple(map(frame.eval, node.args))
    if positional and isinstance(node.func, ast.Attribute) and node.func.attr == "to":
        positional = (as_target(frame, node.args[0], positional[0]), *positional[1:])
    if not node.keywords:
        return positional, ()
    evaluated = [(keyword.arg, frame.eval(keyword.value)) for keyword in node.keywords]
    return positional, tuple((name, value) for name, value in evaluated if name is not None)


class Called(OwnClasses, World):
    """One call in the file: what its result depends on, and what is recorded about it."""

    __slots__ = ("callee", "default", "node")

    def __init__(self, frame: Frame, node: ast.Call, callee: Value) -> None:
        self.frame, self.file = frame, frame.file  # as for all classes of a file, without another call
        self.node = node
        self.callee = callee
        self.default: Device | None = None

    def attribute(self, base: Value, name: str) -> Value:
        return attribute_of(self.frame, base, name)

    def given(self, receiver: Value | None, positional: tuple[Value, ...], keywords: Keywords) -> Arguments:
        """Return the arguments, with this location as the reason for what the call makes of them."""
        given = without_spread(self.node, positional)
        return Arguments(receiver, given, keywords, lambda message: self.frame.because(self.node, message))

    # -- what the file defines, and what it leaves open ----------------------------------------------------------------

    def result(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value | None:
        if self.file.declared is not None and (fact := self.file.declared.move(name)):
            given = positional or tuple(value for _, value in keywords)
            return moved(fact, given, lambda message: self.frame.because(self.node, message))
        if self.file.declared is not None and self.file.declared.wait(name):
            note_watched(self.frame, self.node, name, None, Arguments(None, positional, keywords))
        is_own = self.file.is_local(name) or (name.endswith(CALL) and self.owns(name.removesuffix(CALL)))
        return self.unknown(name, positional, keywords) if is_own else None

    def unknown(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the deferred call of a function that linking may know, which is recorded."""
        told = as_told(self.frame, self.node, positional, keywords)
        note_where_chosen(self.frame, self.node, self.callee, name, name, *told)
        filled_by_call(self.frame, self.node)
        return defer(Op.CALL, name, positional, keywords)

    def construct(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return an instance of a class of this file."""
        numbered = tuple((str(at), value) for at, value in enumerate(positional))
        given = (Instance(name), *positional)
        note_where_chosen(self.frame, self.node, self.callee, name, f"{name}.__init__", given, keywords)
        note_handed(self.frame, self.node, name, Arguments(None, positional, keywords))
        known = self.file.summary.classes.get(name)
        note_own_made(self.frame, self.node, name, Arguments(None, positional, keywords), self)
        if known is not None and known.bases == (named_tuples.MAKER,):
            return named_tuples.filled(known.fields, positional, keywords, ast.Starred in map(type, self.node.args))
        made = self.frame.recorder.span(self.node) if self.kind(name) == "metric" else None
        return Instance(name, numbered + keywords, None, made)

    def ask_many(self, callee: OneOf, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the call of whichever of many functions and classes of other files, as one question."""
        return defer(Op.CALL_VALUE, gates.last_name(self.node.func), (callee, *positional), keywords)

    def ask(self, callee: Deferred, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return a call that linking must resolve: a method of an open value, or an open value itself."""
        frame, arguments = self.frame, Arguments(None, positional, keywords)
        if callee.name in dtypes.TYPED_CLASSES:
            return self._typed(callee.name, arguments)
        note_passed_functions(self.frame, arguments)
        if callee.op is not Op.ATTRIBUTE:
            frame.recorder.saw_called(callee)
            note_watched(self.frame, self.node, OF_OBJECT, callee, arguments)
            if isinstance(default := self.file.default_of(callee), Function):
                note_call_of(frame, default, positional, keywords)
            told, named = as_told(frame, self.node, positional, keywords)
            note_run(frame, callee, CALL.removeprefix("."), told, named)
            if (asked := callbacks.parameter_of(callee)) is not None:
                frame.note_call(asked.name, (callee, *told), named)
            return defer(Op.CALL_VALUE, gates.last_name(self.node.func), (callee, *positional), keywords)
        base = frame.recorder.same(callee.operands[0])
        if isinstance(base, Instance):  # of a class whose bases other files define
            keep(frame, callee.name, base, arguments, not spreads(self.node))
        note_open_method(frame, self.node, callee, base, called_on(frame, self.callee, base), arguments)
        given, named = self._placed(callee.name, without_spread(self.node, positional), keywords)
        return defer(Op.METHOD, callee.name, (base, *given), named)

    def _typed(self, name: str, arguments: Arguments) -> Value:
        """Return the result of `get_accelerator().FloatTensor([…])`: a legacy constructor, on an open device."""
        if self.node.args:
            note_numbers(self.frame, self.node.args[0], arguments.positional[0], f"`{name}`")
        return Tensor(OPEN, dtypes.TENSOR_CLASSES[name], ARRAY)

    def _placed(
        self, name: str, positional: tuple[Value, ...], keywords: Keywords
    ) -> tuple[tuple[Value, ...], Keywords]:
        """Return the arguments of a call that moves an open value, with this location as the new device's reason."""
        if name == "cuda":
            return (DeviceRef(Device(GPU, None, self.frame.because(self.node, "moved to the GPU here"))),), keywords
        if name != "to":
            return positional, keywords
        named = tuple((key, self._target(value) if key == "device" else value) for key, value in keywords)
        return (*map(self._target, positional[:1]), *positional[1:]), named

    def _target(self, given: Value) -> Value:
        device = as_device(given, self.frame.because(self.node, "moved here by `.to(…)`"))
        return given if device is None or isinstance(given, Tensor | Batch) else DeviceRef(device)

    # -- what libraries do ---------------------------------------------------------------------------------------------

    def called(self, name: str, arguments: Arguments) -> Value | None:
        frame, node = self.frame, self.node
        if name.rpartition(".")[2][:1].isupper() and any(keyword.arg is None for keyword in node.keywords):
            arguments.keywords[SPREAD] = UNKNOWN
        note_default(self.frame, node, name, arguments)
        self.default = with_default(self.frame, name, arguments)
        note_function(self.frame, node, name, arguments)
        if libraries.class_kind(name) == "parser":
            return parser(frame.file.options())
        match name, arguments.positional:
            case "torch.get_default_device", _:
                return DeviceRef(default_device(frame) or HOST_BY_DEFAULT, is_object=True)
            case "super", given:
                return parent(frame, given[0] if given else Class(frame.cls))
            case "typing.cast", (_, subject):
                return narrowing.cast(subject, value_of(node.args[0], frame.eval))
            case "setattr", (Instance(cls), Host(), each) if cls == frame.cls:
                if frame.spread in options_of(each):
                    frame.file.summary.functions[frame.scope].binding |= isinstance(node.args[1], ast.Name)
        return None

    def made(self, name: str, value: Value, arguments: Arguments) -> Value:
        """Return a metric or loader with the location of its constructor's call, which is recorded."""
        if self.default is not None:
            return on_default(value, self.default)
        if isinstance(value, Instance) and libraries.class_kind(name) == "distribution" and self.file.has_default:
            return replace(value, device=default_device(self.frame))
        if libraries.class_kind(name) not in libraries.FOLLOWED or not isinstance(value, Instance):
            return value
        note_watched(self.frame, self.node, name, None, arguments)
        return replace(value, made=self.frame.recorder.span(self.node))

    def method_called(self, name: str, receiver: Value, arguments: Arguments) -> Value:
        last = name.rpartition(".")[2]
        if isinstance(receiver, Batch):
            arguments.receiver = receiver = self._shown(receiver, last)
        note_handed(self.frame, self.node, name if isinstance(receiver, Sequence) else of_anything(last), arguments)
        if last in self.file.watched.methods:
            whole = called_on(self.frame, self.callee, receiver)
            full = self._moved_module(receiver, last) or name if whole is receiver else of_anything(last)
            note_watched(self.frame, self.node, full, as_inherited(self.frame, whole, self), arguments)
        return receiver

    def _moved_module(self, receiver: Value, method: str) -> str | None:
        """Return the name for moving a module that is made in the same expression: others may be there already."""
        match receiver, self.node.func:
            case Instance(cls), ast.Attribute(value=ast.Call()) if method in MOVES and self.kind(cls) == "module":
                return f"{modules.MODULE}.{method}"
        return None

    def _shown(self, receiver: Value, method: str) -> Value:
        """Return what the receiver of a method turns out to be, and bind its name to that from here on."""
        found = shown_tensor(receiver, method, self.frame.tensor_methods)
        match self.node.func:
            case ast.Attribute(value=ast.Name(id=name)) if found is not receiver:
                self.frame.assign_name(name, found)
        return found

    def tensor_changed(self, name: str, receiver: Value, arguments: Arguments) -> None:
        """Record a tensor's method; the target of `copy_(source, non_blocking=True)` is complete only later."""
        note_signature(self.frame, self.node, f"{TENSOR_METHODS}{name}", arguments)
        note_place(self.frame, receiver, name, arguments)
        if name != "copy_" or (target := self._changed()) is None:
            return
        if (changed := tensor_methods.copied_into(receiver, arguments)) is not None:
            self.frame.copies.in_progress = True
            assign_path(self.frame, *target, changed)

    def _changed(self) -> tuple[ast.expr, str] | None:
        """Return what the method is called on, if that is a name or an attribute, and its key."""
        func = self.node.func
        key = path(func.value) if isinstance(func, ast.Attribute) else None
        return (func.value, key) if isinstance(func, ast.Attribute) and key is not None else None

    def sequence_changed(self, name: str, receiver: Sequence, arguments: Arguments) -> None:
        changed = container_methods.added_to(receiver, name, arguments)
        if changed is not None and isinstance(self.node.func, ast.Attribute):
            change(self.frame, self.node.func.value, changed)

    def object_changed(self, name: str, receiver: Instance, arguments: Arguments) -> None:
        """Bind what the method keeps in attributes of the object."""
        keep(self.frame, name, receiver, arguments, not spreads(self.node))
        keep_module(self.frame, self.node.func, receiver, arguments)
        note_parent_made(self.frame, self.node, name, receiver.cls, arguments)
        note_options(self.frame, name, arguments)
        note_passed_functions(self.frame, arguments)

    def object_called(self, callee: Instance, arguments: Arguments) -> None:
        is_metric = self.kind(callee.cls) == "metric"
        if self.owns(callee.cls):
            if is_metric:
                note_watched(self.frame, self.node, OF_OBJECT, callee, arguments)
        elif is_metric or hidden_checks.is_called(callee.cls):
            receiver = self.callee if note_layer(self.frame, callee.cls, arguments) else callee
            note_watched(self.frame, self.node, f"{callee.cls}{CALL}", receiver, arguments)

    def host_called(self, callee: Value, positional: tuple[Value, ...], keywords: Keywords) -> None:
        note_host_method(self.frame, self.node, callee, positional, keywords)


def _makes_host_batch(keywords: Keywords) -> bool:
    """Whether an argument asks a tokenizer or processor for tensors."""
    wanted = libraries.HOST_BATCH
    return any(isinstance(value, Host) and value.constant == wanted[name] for name, value in keywords if name in wanted)
