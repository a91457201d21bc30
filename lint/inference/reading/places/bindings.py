"""Reads bindings: names, attributes, items, and tuples of them."""

from __future__ import annotations

import ast
from typing import Final

from ...library.container_methods import item_of, with_item
from ...values.containers import unpack
from ...values.joining import join, join_all
from ...values.module_lists import contents, with_contents
from ...values.ops import Op
from ...values.suggestion import suggested
from ...values.tensors import stored
from ...values.union import UNKNOWN, Deferred, Host, Instance, OneOf, Sequence, Tensor, Value, defer, options_of
from ..state.frame import Frame
from ..state.scope import path
from .filled import note_filled
from .subscripts import indices_of, note_write

SETTER: Final = "setter"


def own_name(name: str, kind: str) -> str:
    """Return the name of a property's setter or deleter, other than that of the function that reads the property."""
    return f"{name}@{kind}"


def bind(frame: Frame, target: ast.expr, value: Value) -> None:
    """Bind a name, an attribute, an item, or a tuple of them."""
    value = stored(value)
    match target:
        case ast.Name(id=name):
            frame.assign_name(name, _named(frame, name, value))
        case ast.Attribute(attr=name):
            bind_attribute(frame, target, _named(frame, name, value))
        case ast.Subscript():
            bind_item(frame, target, value)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            bind_many(frame, targets, value)
        case ast.Starred(value=inner):
            bind(frame, inner, value)


def _named(frame: Frame, name: str, value: Value) -> Value:
    """Return what a name is bound to: a device, say, if the name says so and linking finds nothing else."""
    if not isinstance(value, Deferred) or (otherwise := suggested(name)) is UNKNOWN:
        return value
    return frame.recorder.same(defer(Op.BOUND, name, (value, otherwise)))


def bind_many(frame: Frame, targets: list[ast.expr], value: Value) -> None:
    """Bind the targets of `a, b = value`."""
    star = next((at for at, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
    for target, each in zip(targets, unpack(value, len(targets), star)):
        bind(frame, target, frame.recorder.same(each))


def bind_attribute(frame: Frame, target: ast.Attribute, value: Value) -> None:
    """Bind `x.name`; instances of this file's classes remember it, and a property's setter is called."""
    if frame.file.has_setters:
        note_setter(frame, target, value)
    if (key := path(target)) is not None:
        assign_path(frame, target, key, value)
    elif isinstance(base := frame.eval(target.value), Instance):
        frame.file.set_attribute(base, target.attr, value)


def note_setter(frame: Frame, target: ast.Attribute, value: Value) -> None:
    """Record the call of the setter of a property that a class of the file has, which others may set as well."""
    base = frame.eval(target.value)
    if not isinstance(base, Instance) or base.cls not in frame.file.summary.classes:
        return
    setter = own_name(frame.file.inheritance.method(base.cls, target.attr) or "", SETTER)
    function = frame.file.summary.functions.get(setter)
    if function is not None:
        frame.note_call(setter, (base, value if function.declared else join(value, UNKNOWN)), ())


def bind_item(frame: Frame, target: ast.Subscript, value: Value) -> None:
    """Bind `x[index]`, which may write into a tensor."""
    base, indices = frame.eval(target.value), indices_of(frame, target.slice)
    note_write(frame, target, base, indices, value, False)
    keep_item(frame, target, base, indices, value)


def keep_item(frame: Frame, target: ast.Subscript, base: Value, indices: tuple[Value, ...], value: Value) -> None:
    """Remember what an item holds now, and its list or dict with it."""
    note_filled(frame, base, value)
    if frame.loops and isinstance(target.slice, ast.Name) and (holder := path(target.value)) is not None:
        frame.loops[-1].items[holder, target.slice.id] = value
    if isinstance(base, Sequence) or contents(base) is not None:
        change_item(frame, target.value, base, indices[0], value)
    if (key := path(target)) is not None and not isinstance(base, Tensor):
        assign_path(frame, target, key, value)
        match base, indices:
            case Deferred(Op.ATTRIBUTE, held, (Instance() as owner,)), (Host("str", str() as under),):
                frame.unsettled[key] = (owner, item_of(held, under))


def change_item(frame: Frame, node: ast.expr, base: Value, at: Value, value: Value) -> None:
    """Handle `x[at] = value`: the list or dict that the name or attribute holds gains or changes an item."""
    key, changed = path(node), _with_item(base, at, value)
    if key is None or changed is None or changed == base:
        return
    frame.hold(key, changed)
    if isinstance(node, ast.Attribute) and isinstance(owner := frame.eval(node.value), Instance):
        frame.unsettled[key] = (owner, node.attr)


def _with_item(base: Value, at: Value, value: Value) -> Value | None:
    """Return a list or dict, or a container of modules, after `x[at] = value`."""
    if isinstance(base, Sequence):
        return with_item(base, at, value)
    if not isinstance(base, Instance) or (held := contents(base)) is None:
        return None
    changed = with_item(held, at, value)
    return None if changed is None else with_contents(base, changed)


def change(frame: Frame, node: ast.expr, value: Value) -> None:
    """Bind what a method has changed: a name, an attribute, or an item of a list or dict, which changes with it."""
    match node:
        case ast.Subscript(value=holder, slice=ast.Name() | ast.Constant() as at) if path(holder) is not None:
            if isinstance(base := frame.eval(holder), Sequence):
                keep_item(frame, node, base, indices_of(frame, at), value)
                return
    if (key := path(node)) is not None:
        assign_path(frame, node, key, value)


def assign_path(frame: Frame, node: ast.expr, key: str, value: Value) -> None:
    """Bind a name, attribute or item under its key."""
    if isinstance(node, ast.Name):
        frame.assign_name(key, value)
        return
    frame.hold(key, value)
    if isinstance(node, ast.Attribute) and isinstance(base := frame.eval(node.value), Instance):
        frame.unsettled[key] = (base, node.attr)


def settle(frame: Frame) -> None:
    """Make the current bindings of attributes the ones that others can see; earlier ones were never visible."""
    for key, (base, name) in frame.unsettled.items():
        if (value := frame.env.get(key)) is not None:
            frame.file.set_attribute(base, name, _anew(base, name, value))
    frame.unsettled.clear()


def _anew(base: Instance, name: str, value: Value) -> Value:
    """Return what an attribute is bound to, without what it has been before on the ways that leave it as it is."""
    new = [each for each in options_of(value) if not _is_itself(each, base, name)]
    return join_all(new) if new and isinstance(value, OneOf) else value


def _is_itself(value: Value, base: Instance, name: str) -> bool:
    match value:
        case Deferred(Op.ATTRIBUTE, known, (Instance(cls), *_)):
            return (cls, known) == (base.cls, name)
    return False
