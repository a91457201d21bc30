"""Reads branches: `if`, `match`, `try`, `assert`, `raise`, and where their paths meet again."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..often import gates
from ..often.made_once import made_once
from ..often.memos import memoized
from ..often.options import flag_in
from ..often.regions import Region
from ..values.union import Host, Value
from . import narrowing, patterns
from .expressions import Expressions
from .file_state import FileState
from .scope import Names, merged


class Branches(Expressions):
    """The part of the reader that runs branches; `alive` is False after a return, raise, break or continue."""

    def __init__(self, file: FileState, scope: str, env: Names, closure: tuple[Names, ...], cls: str = "") -> None:
        super().__init__(file, scope, env, closure, cls)
        self.alive = True

    def if_(self, node: ast.If) -> None:
        self.condition(node.test, "if")
        before = self.env
        chosen = gates.constant(node.test)
        outcomes = []
        for body, holds in ((node.body, True), (node.orelse, False)):
            self.env, self.alive = dict(before), chosen is None or chosen is holds
            narrowing.assume(self, node.test, holds)
            self.in_region(self.branch_region(node, body, holds), body)
            if self.alive:
                outcomes.append(self.env)
        joined = merged(outcomes)
        self.env, self.alive = before if joined is None else joined, joined is not None

    def branch_region(self, node: ast.If, body: Sequence[ast.stmt], holds: bool) -> Region:
        """Return the region of a branch: one that ends in `raise` is a failure path, a gated one runs now and then."""
        if body and isinstance(body[-1], ast.Raise):
            return self.failure(node.test, "only on the way to an error")
        found = self.seldom(node.test, body, holds)
        return found or (self.region if gates.is_always(node.test) else Region("branch", self.region))

    def seldom(self, test: ast.expr, code: Sequence[ast.stmt], holds: bool) -> Region | None:
        """Return the region of code that runs once or now and then, because a condition must hold or must not."""
        if gates.has_gpu(test) is (not holds) and not (code and isinstance(code[0], ast.If)):
            return Region("once", self.region, self.because(test, "only when there is no GPU"))
        if gates.traced(test, holds):
            words = "only while being scripted, traced, captured or exported"
            return Region("once", self.region, self.because(test, words))
        return self.created(test, code, holds) or self.gated(test, holds)

    def created(self, test: ast.expr, code: Sequence[ast.stmt], holds: bool) -> Region | None:
        """Return the region of code that creates what a condition finds missing."""
        words = made_once(test, holds, code, lambda name: name not in self.file.set_back)
        words = words or memoized(test, holds, code, self.env)
        return Region("once", self.region, self.because(test, words)) if words is not None else None

    def gated(self, test: ast.expr, holds: bool) -> Region | None:
        """Return the region of code that runs now and then, in evaluation, where training fails, or if asked for."""
        if (words := gates.failing(test, holds)) is not None:
            return self.failure(test, words)
        if gates.evaluating(test, holds):
            return Region("evaluation", self.region, self.because(test, "only in evaluation"))
        if (name := gates.counted(test, holds)) is not None and (loop := self.region.loop_of(name)) is not None:
            return Region("gate", self.region, self.because(test, "only once in a loop over steps"), counts=loop)
        if (words := gates.gate(test, holds, self.conditions)) is not None:
            return Region("gate", self.region, self.because(test, words))
        if (name := flag_in(test, holds)) is not None and name in self.file.off_by_default:
            words = f"only if `{name}` is set, which is False by default"
            return Region("option", self.region, self.because(test, words))
        return None

    def region_if(self, test: ast.expr, holds: bool) -> Region:
        return self.seldom(test, (), holds) or self.region

    def beyond(self, node: ast.If, rest: Sequence[ast.stmt]) -> Region:
        """Return the region of the statements after an `if` with a branch that leaves: `if step % 100: return`."""
        for body, holds in ((node.body, False), (node.orelse, True)):
            if rest and body and isinstance(body[-1], ast.Return | ast.Continue):
                return self.seldom(node.test, rest, holds) or self.region
        return self.region

    def failure(self, node: ast.expr | ast.stmt, why: str) -> Region:
        """Return the region of code that runs only when something went wrong."""
        return Region("failure", self.region, self.because(node, why))

    def in_region(self, region: Region, body: list[ast.stmt]) -> None:
        """Run statements in a region of their own."""
        outer, self.region = self.region, region
        self.block(body)
        self.region = outer

    def assert_(self, node: ast.Assert) -> None:
        self.condition(node.test, "assert")
        if node.msg is not None:
            outer, self.region = self.region, self.failure(node.msg, "only when the assertion fails")
            self.eval(node.msg)
            self.region = outer
        narrowing.assume(self, node.test, True)

    def raise_(self, node: ast.Raise) -> None:
        outer, self.region = self.region, self.failure(node, "only on the way to an error")
        for part in (node.exc, node.cause):
            if part is not None:
                self.eval(part)
        self.region, self.alive = outer, False

    def match_(self, node: ast.Match) -> None:
        subject = self.eval(node.subject)
        before, outcomes = self.env, [dict(self.env)]
        for case in node.cases:
            self.env, self.alive = dict(before), True
            self.match_case(case, subject)
            if self.alive:
                outcomes.append(self.env)
        self.env, self.alive = merged(outcomes) or before, True

    def match_case(self, case: ast.match_case, subject: Value) -> None:
        """Run one case, with the names that its pattern binds."""
        for name, value in patterns.bound(self, case.pattern, subject):
            self.assign_name(name, self.recorder.same(value))
        if case.guard is not None:
            self.condition(case.guard, "a case's guard")
            narrowing.assume(self, case.guard, True)
        self.block(case.body)

    def try_(self, node: ast.Try) -> None:
        before = dict(self.env)
        self.block(node.body)
        after = self.env
        if self.alive:
            self.block(node.orelse)
        outcomes = [self.env] if self.alive else []
        for handler in node.handlers:
            self.env, self.alive = dict(merged([before, after]) or before), True
            self.handle(handler)
            if self.alive:
                outcomes.append(self.env)
        joined = merged(outcomes)
        self.env, self.alive = before if joined is None else joined, True
        self.block(node.finalbody)
        self.alive = self.alive and joined is not None

    def handle(self, handler: ast.ExceptHandler) -> None:
        """Run an `except` body."""
        if handler.name:
            self.env[handler.name] = Host("object")
        self.in_region(self.failure(handler.body[0], "only when an exception was raised"), handler.body)
