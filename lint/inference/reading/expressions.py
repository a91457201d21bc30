"""Reads expressions: each yields a value, and what happens on the way is recorded as operations."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable
from typing import Any

from ...facts.devices import TEXT_DEVICES
from ..library import objects
from ..notes.operations import Index
from ..often.regions import Region
from ..values.certainty import can_wait
from ..values.containers import element, index
from ..values.joining import any_item, join_all
from ..values.operators import binary
from ..values.tensors import device_named
from ..values.union import UNKNOWN, Batch, Class, DeviceRef, Function, Host, Instance, Module, Sequence, Tensor, Value
from . import narrowing
from .calls import Calls
from .lambdas import function_of
from .scope import path

MOST_ITEMS = 64
"""For a longer display, only the join of its elements is kept."""


class Expressions(Calls):
    """The part of the reader that evaluates expressions in the current environment and region."""

    def eval(self, node: ast.expr) -> Value:
        """Return the value of an expression."""
        evaluate = EVALUATORS.get(type(node))
        return evaluate(self, node) if evaluate else UNKNOWN

    def name(self, node: ast.Name) -> Value:
        return self.gpu_device(node) if node.id in self.gpu_names else self.lookup(node.id)

    def constant(self, node: ast.Constant) -> Value:
        value = node.value
        if value is ...:
            return Host("ellipsis")
        return Host(type(value).__name__, value)

    # -- displays ------------------------------------------------------------------------------------------------------

    def items(self, nodes: list[ast.expr], kind: str) -> Value:
        """Return a list, tuple or set of these elements."""
        if len(nodes) > MOST_ITEMS or any(isinstance(node, ast.Starred) for node in nodes):
            return Sequence(kind, None, self.any_of(nodes))
        return Sequence(kind, tuple(map(self.eval, nodes)))

    def any_of(self, nodes: list[ast.expr]) -> Value:
        """Return what an element of a display is, without keeping each of them."""
        values = (element(self.eval(n.value)) if isinstance(n, ast.Starred) else self.eval(n) for n in nodes)
        found = join_all(values)
        deque(values, maxlen=0)  # where the answer is known early, the rest is read all the same
        return found

    def list_display(self, node: ast.List) -> Value:
        return self.items(node.elts, "list")

    def tuple_display(self, node: ast.Tuple) -> Value:
        return self.items(node.elts, "tuple")

    def set_display(self, node: ast.Set) -> Value:
        return self.items(node.elts, "set")

    def dict_display(self, node: ast.Dict) -> Value:
        values = [self.eval(value) for value in node.values]
        for key in node.keys:
            if key is not None:
                self.eval(key)
        keys = tuple(key.value for key in node.keys if isinstance(key, ast.Constant))
        if len(keys) + node.keys.count(None) < len(values) or len(values) > MOST_ITEMS:
            each = [value if key is not None else _items_of(value) for key, value in zip(node.keys, values)]
            return Sequence("dict", None, join_all(each))
        if len(keys) == len(values):
            return Sequence("dict", tuple(values), keys=keys)
        parts = (
            Sequence("dict", (value,), keys=(key.value,)) if isinstance(key, ast.Constant) else value
            for key, value in zip(node.keys, values)
        )
        made: Value = Sequence("dict", ())
        for part in parts:
            made = binary("|", made, part)
        return self.recorder.same(made)

    # -- subscriptions -------------------------------------------------------------------------------------------------

    def subscript(self, node: ast.Subscript) -> Value:
        if self.has_paths and (key := path(node)) and (known := self.env.get(key)) is not None:
            return known
        base = self.eval(node.value)
        indices = self.indices(node.slice)
        self.note_index(node, base, indices)
        if isinstance(base, Function | Module | Class):
            return base
        return self.recorder.same(index(base, indices))

    def note_index(self, node: ast.Subscript, base: Value, indices: tuple[Value, ...]) -> None:
        """Record the indexing of a tensor by tensors or host data, or of a list by a potential tensor."""
        if isinstance(base, Host | Module | Class | Function) or base is UNKNOWN:
            return
        if isinstance(base, Sequence):
            if base.kind in ("list", "tuple"):
                quoted = node if isinstance(node.slice, ast.Name) else node.slice
                self.convert(node.slice, indices[0], "index", "indexing a sequence", quoted)
            return
        if any(isinstance(each, Tensor) or can_wait(each) or _is_host_index(each, indices) for each in indices):
            self.emit(Index, node, base=base, indices=self.masks(node.slice, base, indices))

    def slice(self, node: ast.Slice) -> Value:
        parts = []
        bounds = [bound for bound in (node.lower, node.upper, node.step) if bound is not None]
        for bound in bounds:
            value = self.eval(bound)
            quoted = node if isinstance(bound, ast.Name) and len(bounds) == 1 else bound
            self.convert(bound, value, "index", "a slice bound", quoted)
            parts.append(value)
        return Sequence("slice", tuple(parts))

    # -- text ----------------------------------------------------------------------------------------------------------

    def joined(self, node: ast.JoinedStr) -> Value:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                value = self.eval(part.value)
                self.convert(part.value, value, "str", "an f-string")
                if part.format_spec is not None:
                    self.eval(part.format_spec)
        match node.values:
            case [ast.Constant(value=str() as head), *_] if head.startswith(TEXT_DEVICES):
                return DeviceRef(device_named(head, self.because(node, f"`{head}…` names the device")))
        return Host("str")

    # -- comprehensions ------------------------------------------------------------------------------------------------

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, kind: str) -> Value:
        return self.in_comprehension(node.generators, lambda: Sequence(kind, None, self.eval(node.elt)))

    def dict_comprehension(self, node: ast.DictComp) -> Value:
        def make() -> Value:
            self.eval(node.key)
            return Sequence("dict", None, self.eval(node.value))

        return self.in_comprehension(node.generators, make)

    def in_comprehension(self, generators: list[ast.comprehension], make: Callable[[], Value]) -> Value:
        """Evaluate in the scope of a comprehension, whose body repeats."""
        before, region = self.env, self.region
        self.env = dict(before)
        for generator in generators:
            self.enter(generator)
        value = make()
        self.env, self.region = before, region
        return value

    def enter(self, generator: ast.comprehension) -> None:
        """Bind the targets of one `for … in … if …` of a comprehension."""
        iterable = self.eval(generator.iter)
        self.region = Region("loop", self.region, self.because(generator.iter, "a comprehension repeats it"))
        self.bind(generator.target, self.elements(iterable))
        for test in generator.ifs:
            self.condition(test, "a comprehension's condition")
            narrowing.assume(self, test, True)

    def elements(self, value: Value) -> Value:
        """Return what iterating over an evaluated expression yields."""
        if isinstance(value, Instance):
            return objects.yielded_by(value, self.file.inheritance.kind(value.cls))
        return self.recorder.same(element(value))

    # -- the rest ------------------------------------------------------------------------------------------------------

    def walrus(self, node: ast.NamedExpr) -> Value:
        value = self.eval(node.value)
        self.bind(node.target, value)
        return value

    def await_(self, node: ast.Await) -> Value:
        return self.eval(node.value)

    def yield_(self, node: ast.Yield | ast.YieldFrom) -> Value:
        if node.value is not None:
            value = self.eval(node.value)
            self.yields.append(element(value) if isinstance(node, ast.YieldFrom) else value)
        return UNKNOWN

    def starred(self, node: ast.Starred) -> Value:
        each = element(self.eval(node.value))
        return Host("object") if each == Host("int") else each  # the number of items is unknown

    def formatted(self, node: ast.FormattedValue) -> Value:
        return self.eval(node.value)


def _is_host_index(value: Value, indices: tuple[Value, ...]) -> bool:
    """Whether this value, as an index into a tensor, is copied to its device: a list, a numpy array, a nested tuple."""
    if isinstance(value, Sequence):
        return value.kind == "list" or (value.kind == "tuple" and len(indices) > 1)
    return value == Host("ndarray")


def _items_of(value: Value) -> Value:
    """Return what a dict holds that is unpacked into another."""
    return any_item(value) if isinstance(value, Sequence) else value if isinstance(value, Batch) else UNKNOWN


EVALUATORS: dict[type[ast.expr], Callable[[Any, Any], Value]] = {
    ast.Name: Expressions.name,
    ast.Constant: Expressions.constant,
    ast.Attribute: Expressions.attribute_read,
    ast.List: Expressions.list_display,
    ast.Tuple: Expressions.tuple_display,
    ast.Set: Expressions.set_display,
    ast.Dict: Expressions.dict_display,
    ast.BinOp: Expressions.binary,
    ast.UnaryOp: Expressions.unary,
    ast.Compare: Expressions.compare,
    ast.BoolOp: Expressions.boolean,
    ast.IfExp: Expressions.conditional,
    ast.Subscript: Expressions.subscript,
    ast.Slice: Expressions.slice,
    ast.JoinedStr: Expressions.joined,
    ast.FormattedValue: Expressions.formatted,
    ast.ListComp: lambda self, node: self.comprehension(node, "list"),
    ast.SetComp: lambda self, node: self.comprehension(node, "set"),
    ast.GeneratorExp: lambda self, node: self.comprehension(node, "iter"),
    ast.DictComp: Expressions.dict_comprehension,
    ast.Lambda: function_of,
    ast.NamedExpr: Expressions.walrus,
    ast.Await: Expressions.await_,
    ast.Yield: Expressions.yield_,
    ast.YieldFrom: Expressions.yield_,
    ast.Starred: Expressions.starred,
    ast.Call: Expressions.call,
}
