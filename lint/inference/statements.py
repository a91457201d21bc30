"""Reads statements: bindings, branches, loops to a fixpoint, exceptions; keeps the regions that frequency needs."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ..facts import libraries
from . import gates, narrowing
from .calls import Calls
from .expressions import OPERATORS, can_wait, path
from .frequency import Region
from .operations import IndexWrite, Iterate
from .scope import Loop, grown, merged
from .tensors import binary, unpack
from .values import UNKNOWN, Batch, Class, Deferred, Function, Host, Instance, Module, Tensor, Value

MOST_PASSES = 2
"""How often a loop's body is read at the most; inner loops count for each pass of the outer ones."""


class Statements(Calls):
    """The part of the interpreter that runs statements. `alive` is False behind a return, raise, break or continue."""

    alive: bool
    loops: list[Loop]
    depth: int

    def block(self, body: list[ast.stmt]) -> None:
        """Run statements in order, as far as they can be reached."""
        for statement in body:
            if not self.alive:
                return
            self.statement = statement
            run = RUNNERS.get(type(statement))
            if run is not None:
                run(self, statement)

    # -- bindings ------------------------------------------------------------------------------------------------------

    def assign(self, node: ast.Assign) -> None:
        value = self.eval(node.value)
        for target in node.targets:
            self.bind(target, value)

    def annotated(self, node: ast.AnnAssign) -> None:
        declared = self.annotation(node.annotation)
        value = self.eval(node.value) if node.value is not None else declared
        if node.value is not None and (value is UNKNOWN or isinstance(value, Deferred)) and declared is not UNKNOWN:
            value = declared
        self.bind(node.target, value)

    def annotation(self, node: ast.expr | None) -> Value:
        """The value an annotation promises."""
        raise NotImplementedError

    def augmented(self, node: ast.AugAssign) -> None:
        operator = OPERATORS[type(node.op)]
        if isinstance(node.target, ast.Subscript):
            base, indices = self.eval(node.target.value), self.indices(node.target.slice)
            value = self.eval(node.value)
            self.note_write(node.target, base, indices, value, True)
            return
        current = self.eval(node.target)
        value = self.eval(node.value)
        result = self.recorder.same(binary(operator, current, value))
        self.bind(node.target, _in_place(current, result))

    def bind(self, target: ast.expr, value: Value) -> None:
        """Bind a name, an attribute, an item, or a tuple of them."""
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
        star = next((at for at, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
        for target, each in zip(targets, unpack(value, len(targets), star)):
            self.bind(target, self.recorder.same(each))

    def bind_attribute(self, target: ast.Attribute, value: Value) -> None:
        if (key := path(target)) is not None:
            self.assign_path(target, key, value)
        elif isinstance(base := self.eval(target.value), Instance):
            self.set_attribute(base, target.attr, value)

    def set_attribute(self, base: Instance, name: str, value: Value) -> None:
        """An attribute of an object is bound (the class part remembers it)."""
        raise NotImplementedError

    def bind_item(self, target: ast.Subscript, value: Value) -> None:
        base, indices = self.eval(target.value), self.indices(target.slice)
        self.note_write(target, base, indices, value, False)
        if (key := path(target)) is not None and not isinstance(base, Tensor):
            self.assign_path(target, key, value)

    def note_write(
        self, target: ast.Subscript, base: Value, indices: tuple[Value, ...], value: Value, augmented: bool
    ) -> None:
        if isinstance(base, Tensor | Batch | Deferred) and can_wait(base):
            self.emit(IndexWrite, target, base=base, indices=indices, value=value, augmented=augmented)

    def assign_path(self, node: ast.expr, key: str, value: Value) -> None:
        if isinstance(node, ast.Name):
            self.assign_name(key, value)
            return
        self.has_paths = True
        self.env[key] = value
        if isinstance(node, ast.Attribute) and isinstance(base := self.eval(node.value), Instance):
            self.unsettled[key] = (base, node.attr, value)

    unsettled: dict[str, tuple[Instance, str, Value]]

    def settle(self) -> None:
        """Attributes bound so far are what others may see; one that was bound anew before that never was."""
        for base, name, value in self.unsettled.values():
            self.set_attribute(base, name, value)
        self.unsettled.clear()

    def delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.env.pop(target.id, None)

    # -- branches ------------------------------------------------------------------------------------------------------

    def if_(self, node: ast.If) -> None:
        self.condition(node.test, "if")
        self.settle()
        before = self.env
        chosen = gates.constant(node.test)
        outcomes = []
        for body, holds in ((node.body, True), (node.orelse, False)):
            self.env, self.alive = dict(before), chosen is None or chosen is holds
            narrowing.assume(self, node.test, holds)
            self.in_region(self.branch_region(node, body, holds), body)
            self.settle()
            if self.alive:
                outcomes.append(self.env)
        joined = merged(outcomes)
        self.alive, self.env = joined is not None, joined if joined is not None else before

    def branch_region(self, node: ast.If, body: list[ast.stmt], holds: bool) -> Region:
        """A branch that ends in `raise` is a failure path; one behind a gate runs now and then."""
        if body and isinstance(body[-1], ast.Raise):
            return Region("failure", self.region, self.because(node.test, "only on the way to an error"))
        if holds and (words := gates.gate(node.test)) is not None:
            return Region("gate", self.region, self.because(node.test, words))
        return self.region

    def in_region(self, region: Region, body: list[ast.stmt]) -> None:
        outer, self.region = self.region, region
        self.block(body)
        self.region = outer

    def assert_(self, node: ast.Assert) -> None:
        self.condition(node.test, "assert")
        if node.msg is not None:
            outer, self.region = self.region, Region("failure", self.region, self.because(node.msg, "only when the assertion fails"))
            self.eval(node.msg)
            self.region = outer
        narrowing.assume(self, node.test, True)

    def raise_(self, node: ast.Raise) -> None:
        outer, self.region = self.region, Region("failure", self.region, self.because(node, "only on the way to an error"))
        for part in (node.exc, node.cause):
            if part is not None:
                self.eval(part)
        self.region, self.alive = outer, False

    def match_(self, node: ast.Match) -> None:
        self.eval(node.subject)
        before, outcomes = self.env, [dict(self.env)]
        for case in node.cases:
            self.env, self.alive = dict(before), True
            for name in (n for n in ast.walk(case.pattern) if isinstance(n, ast.MatchAs | ast.MatchStar)):
                if name.name:
                    self.assign_name(name.name, UNKNOWN)
            if case.guard is not None:
                self.condition(case.guard, "a case's guard")
            self.block(case.body)
            if self.alive:
                outcomes.append(self.env)
        self.env, self.alive = merged(outcomes) or before, True

    def try_(self, node: ast.Try) -> None:
        before = dict(self.env)
        self.block(node.body)
        self.settle()
        after = self.env
        outcomes = []
        if self.alive:
            self.block(node.orelse)
            if self.alive:
                outcomes.append(self.env)
        for handler in node.handlers:
            self.env, self.alive = merged([before, after]) or before, True
            self.env = dict(self.env)
            if handler.name:
                self.env[handler.name] = Host("object")
            self.in_region(Region("failure", self.region, self.because(handler.body[0], "only when an exception was raised")), handler.body)
            if self.alive:
                outcomes.append(self.env)
        joined = merged(outcomes)
        self.env, self.alive = joined if joined is not None else before, True
        self.block(node.finalbody)
        self.alive = self.alive and joined is not None

    # -- loops ---------------------------------------------------------------------------------------------------------

    def for_(self, node: ast.For | ast.AsyncFor) -> None:
        iterable = self.eval(node.iter)
        if can_wait(iterable) and isinstance(iterable, Tensor | Deferred):
            self.emit(Iterate, node.iter, value=iterable)
        region = self.loop_region(node, iterable)

        def body() -> None:
            self.bind(node.target, self.elements(node.iter, iterable))
            self.block(node.body)

        self.repeat_body(region, body, node.orelse)

    def while_(self, node: ast.While) -> None:
        region = Region("loop", self.region, self.because(node.test, "a while loop repeats it"))

        def body() -> None:
            self.condition(node.test, "while")
            narrowing.assume(self, node.test, True)
            self.block(node.body)

        self.repeat_body(region, body, node.orelse)

    def loop_region(self, node: ast.For | ast.AsyncFor, iterable: Value) -> Region:
        """The region of a for loop, marked when it iterates over batches."""
        region = Region("loop", self.region, self.because(node.iter, "a loop repeats it"))
        if (words := self.batches(node.iter, iterable)) is not None:
            region.mark_step(self.because(node.iter, words), False)
            region.evaluating = gates.names_evaluation(node.iter)
        return region

    def batches(self, node: ast.expr, iterable: Value) -> str | None:
        """Why a loop is one over batches; None where it is not."""
        name = gates.loader_name(node)
        if isinstance(iterable, Batch):
            return "the loop iterates over a DataLoader"
        return f"the loop iterates over `{name}`" if name else None

    def repeat_body(self, region: Region, body: Callable[[], None], orelse: list[ast.stmt]) -> None:
        """Read a loop's body until what its names hold no longer changes (or often enough)."""
        outer, self.region = self.region, region
        self.settle()
        self.depth += 1
        before = self.env
        statement = self.statement
        for _ in range(MOST_PASSES if self.depth < 4 else 1):
            start = before
            self.env, self.statement = dict(start), statement
            loop = Loop()
            self.loops.append(loop)
            body()
            self.settle()
            self.loops.pop()
            ends = [*loop.continues, *([self.env] if self.alive else [])]
            self.alive = True
            after = merged([start, *ends]) or start
            if not grown(start, after):
                break
            before = after
        self.depth -= 1
        self.region = outer
        self.env = merged([after, *loop.breaks]) or after
        self.block(orelse)

    def break_(self, node: ast.Break) -> None:
        if self.loops:
            self.loops[-1].breaks.append(self.env)
        self.alive = False

    def continue_(self, node: ast.Continue) -> None:
        if self.loops:
            self.loops[-1].continues.append(self.env)
        self.alive = False

    # -- all else ------------------------------------------------------------------------------------------------------

    def expression(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.eval(node.value)

    def return_(self, node: ast.Return) -> None:
        self.returned(self.eval(node.value) if node.value is not None else Host("NoneType", None))
        self.alive = False

    def returned(self, value: Value) -> None:
        """The function returns a value (the function part collects it)."""
        raise NotImplementedError

    def with_(self, node: ast.With | ast.AsyncWith) -> None:
        region = self.region
        for item in node.items:
            value = self.eval(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value)
            manager = self.manager_name(item.context_expr)
            if manager in libraries.NO_GRAD:
                region = Region("no_grad", region)
            elif manager:
                region = Region("with", region, context=manager)
        self.in_region(region, node.body)

    def manager_name(self, node: ast.expr) -> str:
        """The full name of a context manager or decorator."""
        value = self.eval(node.func if isinstance(node, ast.Call) else node)
        return value.name if isinstance(value, Module | Function | Class | Deferred) else ""

    def import_(self, node: ast.Import | ast.ImportFrom) -> None:
        """Names bound by an import (the file part knows its module)."""
        raise NotImplementedError

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """A function defined here (the function part reads it later)."""
        raise NotImplementedError

    def class_(self, node: ast.ClassDef) -> None:
        """A class defined here (the class part reads it)."""
        raise NotImplementedError


def _in_place(current: Value, result: Value) -> Value:
    """`x += y` keeps the place of a tensor `x`, and may make a number a tensor."""
    if isinstance(current, Tensor) and isinstance(result, Tensor):
        return Tensor(current.device, result.dtype, result.rank, current.memory)
    return result


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
    ast.Import: lambda self, node: self.import_(node),
    ast.ImportFrom: lambda self, node: self.import_(node),
    ast.FunctionDef: lambda self, node: self.function(node),
    ast.AsyncFunctionDef: lambda self, node: self.function(node),
    ast.ClassDef: lambda self, node: self.class_(node),
}
if hasattr(ast, "TryStar"):
    RUNNERS[ast.TryStar] = Statements.try_
