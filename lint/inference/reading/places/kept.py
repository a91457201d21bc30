"""Binds what a library's methods keep on an object under a name: buffers of modules, tensors saved for `backward`."""

from __future__ import annotations

import ast

from ....facts import autograd, distributions, libraries, modules
from ....facts.attributes import MOVES
from ...library.container_methods import added_to
from ...library.own_distributions import told_to_validate
from ...values.arguments import Arguments
from ...values.joining import join_all
from ...values.lattice import ANY_MEMORY, OPEN
from ...values.module_lists import contents, with_contents
from ...values.ops import Op
from ...values.union import UNKNOWN, Deferred, Host, Instance, OneOf, Sequence, Tensor, Value
from ..state.frame import Frame
from ..state.scope import path
from .bindings import assign_path, change


def keep(frame: Frame, method: str, receiver: Instance, arguments: Arguments, are_all: bool) -> None:
    """Bind the attributes that a method of an object binds; `are_all`: no argument stands for several."""
    if method in modules.REGISTERING:
        _register(frame, method, receiver, arguments)
    elif (name := autograd.SAVES.get(method)) and frame.file.inheritance.kind(receiver.cls) == autograd.KIND:
        for each in arguments.positional:
            frame.recorder.saw_tensor(each, f"`{method}` expects a tensor here", frame.scope)
        frame.file.set_attribute(receiver, name, _saved(arguments.positional if are_all else None))
    elif method == "__init__" and libraries.class_kind(receiver.cls) == distributions.KIND:
        _tell(frame, told_to_validate(receiver.cls, arguments))


def keep_module(frame: Frame, method: ast.expr, receiver: Instance, arguments: Arguments) -> None:
    """Bind a container of modules with those that a method adds to it: `self.layers.append(layer)`."""
    if not isinstance(method, ast.Attribute) or (held := contents(receiver)) is None:
        return
    adds = modules.ADDING.get(method.attr)
    if adds is not None and (added := added_to(held, adds, arguments)) is not None:
        change(frame, method.value, with_contents(receiver, added))


def keep_moved(frame: Frame, call: ast.Call, value: Value) -> None:
    """Let what a statement moves be there: as nobody uses the result, it is a module: `model.eval().to(device)`."""
    subject: ast.expr = call
    methods = set()
    while isinstance(subject, ast.Call) and isinstance(subject.func, ast.Attribute):
        methods.add(subject.func.attr)
        subject = subject.func.value
    if methods.isdisjoint(MOVES) or not methods <= modules.SELF_METHODS:
        return
    if (key := path(subject)) is not None and key in frame.env and _may_be_module(frame, value):
        frame.recorder.saw_module(value)
        assign_path(frame, subject, key, value)


def _may_be_module(frame: Frame, moved: Value) -> bool:
    """Whether what is moved is a module, or open: nothing that a loader yields, nor what a loop moves again."""
    match moved:
        case Instance():
            return moved.device is not None
        case Deferred(op=Op.METHOD, operands=(of, *_)) if not frame.loops:
            batches = (Op.BATCH, Op.COLLATED, Op.ELEMENT, Op.ITEM, Op.INDEX, Op.HANDED)
            return not (isinstance(of, Deferred) and of.op in batches)
    return False


def _tell(frame: Frame, told: Value | None) -> None:
    """Keep what the constructor of this class tells torch's about validation."""
    if told is not None:
        frame.file.set_attribute(Instance(frame.cls), distributions.TOLD, told)


def _register(frame: Frame, method: str, receiver: Instance, arguments: Arguments) -> None:
    """Bind an attribute by `register_buffer` and `add_state`; a buffer moves with its module."""
    by_name = [arguments.keywords[each] for each in modules.REGISTERED_AS if each in arguments.keywords]
    match (*arguments.positional, *by_name):
        case (Host(_, str() as key), value, *_):
            frame.file.set_attribute(receiver, key, _moves_with_module(value, method == "register_buffer"))


def _moves_with_module(value: Value, is_buffer: bool) -> Value:
    if isinstance(value, OneOf):
        return join_all(_moves_with_module(option, is_buffer) for option in value.options)
    if is_buffer and (value is UNKNOWN or isinstance(value, Deferred)):
        return Tensor()
    if isinstance(value, Tensor) and not value.device.on_gpu:
        return Tensor(OPEN, value.dtype, value.rank, ANY_MEMORY)
    return value


def _saved(given: tuple[Value, ...] | None) -> Sequence:
    """Return what gives back the tensors that are saved, which are not known if they are None."""
    if given is None:
        return Sequence("tuple", None, Tensor())
    return Sequence("tuple", tuple(Tensor() if each is UNKNOWN else each for each in given))
