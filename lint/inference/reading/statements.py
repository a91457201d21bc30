"""Reads statements in order, as far as they are reachable."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ...facts import libraries
from ..library.annotations import alias_of, tensors_of, value_of
from ..often.regions import Region
from ..values.containers import index
from ..values.operators import binary
from ..values.union import NONE, UNKNOWN, Class, Deferred, DeviceRef, Sequence, Tensor, Value
from . import narrowing
from .arithmetic import OPERATORS
from .definitions import Definitions


class Statements(Definitions):
    """The part of the reader that runs statements."""

    def block(self, body: list[ast.stmt]) -> None:
        """Run statements in order, as far as they are reachable."""
        outer = self.region
        for at, statement in enumerate(body, 1):
            if not self.alive:
                break
            self.statement = statement
            run = RUNNERS.get(type(statement))
            if run is not None:
                run(self, statement)
            if isinstance(statement, ast.If):
                self.region = self.beyond(statement, body[at:])
        self.region = outer

    def assign(self, node: ast.Assign) -> None:
        value = self.alias(node.value, self.eval(node.value), node.targets[0])
        for target in node.targets:
            if isinstance(target, ast.Tuple | ast.List):
                narrowing.shape_read(self, node.value, target.elts)
            self.bind(target, value)
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if narrowing.tells(node.value, name):
                self.assign_condition(name, node.value)

    def alias(self, node: ast.expr, value: Value, target: ast.expr) -> Value:
        """Return the value to bind: for types to which a module gives a name, a class that stands for them."""
        if self.scope or not isinstance(target, ast.Name) or not isinstance(node, ast.Subscript | ast.BinOp):
            return value
        promised = alias_of(node, value, self.eval)
        return value if promised is UNKNOWN else Class(f"{self.file.module}.{target.id}", promised)

    def type_alias(self, node: Any) -> None:
        """Handle `type Name = …`, of Python 3.12 and later."""
        promised = value_of(node.value, self.eval)
        if promised is not UNKNOWN and not self.scope:
            self.assign_name(node.name.id, Class(f"{self.file.module}.{node.name.id}", promised))

    def annotated(self, node: ast.AnnAssign) -> None:
        declared = value_of(node.annotation, self.eval)
        value = declared if node.value is None else self.alias(node.value, self.eval(node.value), node.target)
        if node.value is not None and _is_open(value, declared, node.target) and declared is not UNKNOWN:
            value = declared
        self.bind(node.target, value)

    def augmented(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Subscript):
            base, indices = self.eval(node.target.value), self.indices(node.target.slice)
            value = self.eval(node.value)
            self.note_write(node.target, base, indices, value, True)
            if isinstance(base, Sequence):
                result = self.recorder.same(binary(OPERATORS[type(node.op)], index(base, indices), value))
                self.keep_item(node.target, base, indices, result)
            return
        current, value = self.eval(node.target), self.eval(node.value)
        result = self.recorder.same(binary(OPERATORS[type(node.op)], current, value))
        self.bind(node.target, _in_place(current, result))

    def delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.env.pop(target.id, None)

    def expression(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.eval(node.value)

    def return_(self, node: ast.Return) -> None:
        value = NONE if node.value is None else self.eval(node.value)
        self.settle()
        self.results.append(value)
        self.alive = False

    def with_(self, node: ast.With | ast.AsyncWith) -> None:
        region = self.region
        manager: Value = NONE
        for item in node.items:
            value = self.eval(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value)
            region = self.managed(region, item.context_expr)
            manager = value if isinstance(value, DeviceRef) else manager
        with self.made_on(manager):
            self.in_region(region, node.body)

    def managed(self, region: Region, manager: ast.expr) -> Region:
        """Return the region inside a context manager."""
        name = self.manager_name(manager)
        if name in libraries.NO_GRAD:
            return Region("no_grad", region)
        return Region("with", region, context=name) if name else region


def _in_place(current: Value, result: Value) -> Value:
    """Return the result of `x += y`, which keeps the location of a tensor `x`, and may turn a number into a tensor."""
    if isinstance(current, Tensor) and isinstance(result, Tensor):
        return Tensor(current.device, result.dtype, result.rank, current.memory)
    return result


def _is_open(value: Value, declared: Value, target: ast.expr) -> bool:
    """Whether the annotation tells more than the value: for an unknown value, or what an empty list or dict will hold.

    What becomes tensors under a name is seen, and then known better; attributes are filled elsewhere.
    """
    if isinstance(value, Sequence) and isinstance(declared, Sequence) and value.items == ():
        followed = isinstance(target, ast.Name) and tensors_of(declared) is not UNKNOWN
        return value.kind == declared.kind and not followed
    return value is UNKNOWN or isinstance(value, Deferred)


RUNNERS: dict[type[ast.stmt], Callable[[Any, Any], None]] = {
    ast.Assign: Statements.assign,
    ast.AnnAssign: Statements.annotated,
    ast.AugAssign: Statements.augmented,
    ast.Delete: Statements.delete,
    ast.If: Statements.if_,
    ast.Assert: Statements.assert_,
    ast.Raise: Statements.raise_,
    ast.Match: Statements.match_,
    ast.Try: Statements.try_,
    ast.For: Statements.for_,
    ast.AsyncFor: Statements.for_,
    ast.While: Statements.while_,
    ast.Break: Statements.break_,
    ast.Continue: Statements.continue_,
    ast.Expr: Statements.expression,
    ast.Return: Statements.return_,
    ast.With: Statements.with_,
    ast.AsyncWith: Statements.with_,
    ast.Import: Statements.import_,
    ast.ImportFrom: Statements.import_,
    ast.FunctionDef: Statements.function,
    ast.AsyncFunctionDef: Statements.function,
    ast.ClassDef: Statements.class_,
}
if hasattr(ast, "TryStar"):
    RUNNERS[ast.TryStar] = Statements.try_
if hasattr(ast, "TypeAlias"):
    RUNNERS[ast.TypeAlias] = Statements.type_alias
