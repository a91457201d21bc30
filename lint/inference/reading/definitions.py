"""Reads definitions: imports, functions, classes."""

from __future__ import annotations

import ast

from ...facts import libraries
from ..library.annotations import tensors_of, value_of
from ..notes.summary import ClassSummary, FunctionSummary
from ..often.regions import Region
from ..often.roles import role
from ..values.union import UNKNOWN, Class, Deferred, Function, Module
from .class_bodies import bindings_of_self, fields_of
from .file_state import FileState
from .parameters import FunctionNode, Parameters
from .scope import Names


class Definitions(Parameters):
    """The part of the reader that binds defined names and defers reading their bodies.

    `node` is the function that this reader reads, if any; `inner` are the readers of nested functions.
    """

    def __init__(self, file: FileState, scope: str, env: Names, closure: tuple[Names, ...], cls: str = "") -> None:
        super().__init__(file, scope, env, closure, cls)
        self.node: FunctionNode | None = None
        self.inner: list[Definitions] = []

    def import_(self, node: ast.Import | ast.ImportFrom) -> None:
        for name, value in self.file.imported(node):
            self.env[name] = value

    def qualified(self, name: str) -> str:
        """Return the full name of what is defined here."""
        if self.cls and not self.scope.startswith(self.cls + "."):
            return f"{self.cls}.{name}"
        return f"{self.scope or self.file.module}.{name}"

    def inside(self, full: str, cls: str) -> Definitions:
        """Return the reader of a function or class defined here."""
        return type(self)(self.file, full, {}, (self.env, *self.closure), cls)

    def run(self) -> None:
        """Read the deferred body."""
        raise NotImplementedError

    def manager_name(self, node: ast.expr) -> str:
        """Return the full name of a context manager or decorator."""
        value = self.eval(node.func if isinstance(node, ast.Call) else node)
        return value.name if isinstance(value, Module | Function | Class | Deferred) else ""

    # -- functions -----------------------------------------------------------------------------------------------------

    def function(self, node: FunctionNode) -> None:
        full = self.qualified(node.name)
        decorators = [self.manager_name(each) for each in node.decorator_list]
        if "typing.overload" in decorators:
            self.overload(node, full)
            return
        in_class = bool(self.cls) and self.scope == self.cls
        reader = self.inside(full, self.cls)
        reader.node = node
        known = self.file.summary.functions.get(full)
        summary = self.file.summary.functions[full] = self.summary_of(node, full, in_class, decorators)
        summary.property = _is_property(decorators) or (known is not None and known.property)  # that is its setter
        reader.bind_parameters(node, summary, in_class, decorators)
        reader.enter_decorated(decorators)
        self.inner.append(reader)
        if not in_class:
            self.assign_name(node.name, Function(full))

    def overload(self, node: FunctionNode, full: str) -> None:
        """Record one of several signatures; if there is nothing else, a call returns what all of them promise."""
        promised = tensors_of(value_of(node.returns, self.eval))
        known = self.file.summary.functions.get(full)
        agreed = known is None or known.promised == promised
        self.file.summary.functions[full] = FunctionSummary(full, promised=promised if agreed else UNKNOWN)
        if not self.cls:
            self.assign_name(node.name, Function(full))

    def summary_of(self, node: FunctionNode, full: str, in_class: bool, decorators: list[str]) -> FunctionSummary:
        """Return what is known about a function before its parameters and body are read."""
        kind = self.file.inheritance.kind(self.cls) if in_class else None
        summary = FunctionSummary(full, static=in_class and "staticmethod" in decorators)
        summary.promised = tensors_of(value_of(node.returns, self.eval))
        if self.file.role is not None:
            summary.role, summary.firm = self.file.role, self.file.is_test
        else:
            summary.role, summary.firm = role(node.name, kind, decorators, self.recorder.span(node))
            summary.role = summary.role or (self.file.evaluation if kind != "metric" else None)
        return summary

    def enter_decorated(self, decorators: list[str]) -> None:
        """Enter the regions of a body that runs without gradients, or compiled."""
        if not libraries.NO_GRAD.isdisjoint(decorators):
            self.region = Region("no_grad", self.region)
        if not libraries.COMPILERS.isdisjoint(decorators):
            self.region = Region("compiled", self.region)

    # -- classes -------------------------------------------------------------------------------------------------------

    def class_(self, node: ast.ClassDef) -> None:
        full = self.qualified(node.name)
        summary = self.class_summary(node, full)
        self.file.define(summary, bindings_of_self(node))
        self.assign_name(node.name, Class(full))
        body = self.inside(full, full)
        body.region = self.region
        body.block(node.body)
        for name, value in body.env.items():
            if not (isinstance(value, Function | Class) or "." in name or "[" in name):
                summary.attributes.setdefault(name, []).append(value)
        for method in body.inner:
            method.closure = (self.env, *self.closure)
        body.inner.sort(key=lambda reader: reader.node is None or reader.node.name != "__init__")
        self.inner += body.inner

    def class_summary(self, node: ast.ClassDef, full: str) -> ClassSummary:
        """Return what is known about a class before its body is read."""
        values = [self.eval(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases]
        bases = tuple(base.name for base in values if isinstance(base, Class | Module | Function))
        own = frozenset(item.name for item in node.body if isinstance(item, FunctionNode))
        return ClassSummary(full, bases, own, fields=self.fields(node, bases))

    def fields(self, node: ast.ClassDef, bases: tuple[str, ...]) -> tuple[str, ...]:
        """Return the fields of a data class or named tuple; none for other classes."""
        makers = {self.manager_name(each) for each in node.decorator_list} | set(bases)
        return fields_of(node) if makers & libraries.FIELD_MAKERS else ()


def _is_property(decorators: list[str]) -> bool:
    return "property" in decorators or any(each.endswith("cached_property") for each in decorators)
