"""Reads bindings: names, attributes, items, and tuples of them."""

from __future__ import annotations

import ast

from ..library.container_methods import with_item
from ..notes.operations import IndexWrite
from ..values.certainty import can_wait
from ..values.containers import unpack
from ..values.tensors import stored
from ..values.union import Instance, Sequence, Tensor, Value
from .evaluator import Evaluator
from .file_state import FileState
from .scope import Names, forget, path


class Bindings(Evaluator):
    """The part of the reader that binds targets to values.

    `unsettled` are the attributes bound since the last place where others may see them: a call of a method, a return.
    `told_by` are the names that stand for conditions, by the names in those.
    """

    def __init__(self, file: FileState, scope: str, env: Names, closure: tuple[Names, ...], cls: str = "") -> None:
        super().__init__(file, scope, env, closure, cls)
        self.unsettled: dict[str, tuple[Instance, str]] = {}
        self.told_by: dict[str, set[str]] = {}

    def assign_name(self, name: str, value: Value) -> None:
        """Bind a plain name."""
        self.env[name] = value
        if self.has_paths:
            forget(self.env, name)
        if self.conditions:
            for each in (name, *self.told_by.pop(name, ())):
                self.conditions.pop(each, None)

    def assign_condition(self, name: str, test: ast.expr) -> None:
        """Note that the name stands for a condition, until it or a name in the condition is rebound."""
        self.conditions[name] = test
        for part in ast.walk(test):
            if isinstance(part, ast.Name):
                self.told_by.setdefault(part.id, set()).add(name)

    def bind(self, target: ast.expr, value: Value) -> None:
        """Bind a name, an attribute, an item, or a tuple of them."""
        value = stored(value)
        match target:
            case ast.Name(id=name):
                self.assign_name(name, value)
            case ast.Attribute():
                self.bind_attribute(target, value)
            case ast.Subscript():
                self.bind_item(target, value)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self.bind_many(targets, value)
            case ast.Starred(value=inner):
                self.bind(inner, value)

    def bind_many(self, targets: list[ast.expr], value: Value) -> None:
        """Bind the targets of `a, b = value`."""
        star = next((at for at, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
        for target, each in zip(targets, unpack(value, len(targets), star)):
            self.bind(target, self.recorder.same(each))

    def bind_attribute(self, target: ast.Attribute, value: Value) -> None:
        """Bind `x.name`; instances of this file's classes remember it."""
        if (key := path(target)) is not None:
            self.assign_path(target, key, value)
        elif isinstance(base := self.eval(target.value), Instance):
            self.file.set_attribute(base, target.attr, value)

    def bind_item(self, target: ast.Subscript, value: Value) -> None:
        """Bind `x[index]`, which may write into a tensor."""
        base, indices = self.eval(target.value), self.indices(target.slice)
        self.note_write(target, base, indices, value, False)
        self.keep_item(target, base, indices, value)

    def keep_item(self, target: ast.Subscript, base: Value, indices: tuple[Value, ...], value: Value) -> None:
        """Remember what an item holds now, and its list or dict with it."""
        if isinstance(base, Sequence):
            self.change_item(target.value, base, indices[0], value)
        if (key := path(target)) is not None and not isinstance(base, Tensor):
            self.assign_path(target, key, value)

    def change_item(self, node: ast.expr, base: Sequence, at: Value, value: Value) -> None:
        """Handle `x[at] = value`: the list or dict that the name or attribute holds gains or changes an item."""
        key, changed = path(node), with_item(base, at, value)
        if key is None or changed is None or changed == base:
            return
        self.env[key] = changed
        if isinstance(node, ast.Attribute) and isinstance(owner := self.eval(node.value), Instance):
            self.has_paths = True
            self.unsettled[key] = (owner, node.attr)

    def note_write(
        self, target: ast.Subscript, base: Value, indices: tuple[Value, ...], value: Value, augmented: bool
    ) -> None:
        """Record the write of an item if the base may be a tensor."""
        if can_wait(base):
            indices = self.masks(target.slice, base, indices)
            self.emit(IndexWrite, target, base=base, indices=indices, value=value, augmented=augmented)

    def assign_path(self, node: ast.expr, key: str, value: Value) -> None:
        """Bind a name, attribute or item under its key."""
        if isinstance(node, ast.Name):
            self.assign_name(key, value)
            return
        self.has_paths = True
        self.env[key] = value
        if isinstance(node, ast.Attribute) and isinstance(base := self.eval(node.value), Instance):
            self.unsettled[key] = (base, node.attr)

    def settle(self) -> None:
        """Make the current bindings of attributes the ones that others can see; earlier ones were never visible."""
        for key, (base, name) in self.unsettled.items():
            if (value := self.env.get(key)) is not None:
                self.file.set_attribute(base, name, value)
        self.unsettled.clear()
