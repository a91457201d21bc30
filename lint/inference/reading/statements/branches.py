"""Reads branches: `if`, `match`, `try`, `assert`, `raise`, and where their paths meet again."""

from __future__ import annotations

import ast

from ...often import gates
from ...values.union import Host, Instance, Value
from ..conditions import narrowing
from ..conditions.branch_regions import branch_region, failure
from ..conditions.chosen_attributes import note_chosen
from ..conditions.conditions import condition, with_gpu
from ..conditions.meeting import meet, subject_of
from ..conditions.ways import Branches, note_ways
from ..places.attributes import attribute_of
from ..state.frame import Frame
from ..state.scope import Names, merged
from . import patterns


def if_(frame: Frame, node: ast.If) -> None:
    """Run both branches, as far as the condition leaves them open, and join them; there is a GPU."""
    condition(frame, node.test, "if")
    before = frame.env
    chosen, on_gpu = gates.constant(node.test), with_gpu(frame, node.test)
    subject, narrowed = subject_of(node.test), []
    outcomes, regions, differing = [], [], list[str]()
    for body, holds in ((node.body, True), (node.orelse, False)):
        frame.env, frame.alive = dict(before), chosen is None or chosen is holds
        region = branch_region(frame, node, body, holds) if body else frame.region
        narrowing.assume(frame, node.test, holds)
        narrowed.append(frame.env.get(subject or ""))
        if body:
            frame.in_region(region, body)
        if frame.alive:
            outcomes.append(frame.env)
            regions.append(region if body else None)
    if len(outcomes) > 1:
        note_chosen(frame, node.test, *outcomes)
        outcomes = outcomes if on_gpu is None else [outcomes[not on_gpu]]
    _read_unbound(frame, outcomes)
    joined = merged(outcomes, differing)
    if joined is not None:
        frame.env = before
        if differing:
            note_ways(frame, node.test, Branches(outcomes, regions), differing, joined)
        if subject is not None:
            meet(frame, subject, narrowed, outcomes, joined)
    frame.env, frame.alive = before if joined is None else joined, joined is not None


def _read_unbound(frame: Frame, outcomes: list[Names]) -> None:
    """Let each branch know the attributes of the object that only the other one has bound: there they are as before."""
    owner = frame.env.get("self")
    if len(outcomes) != 2 or not isinstance(owner, Instance):
        return
    one, other = outcomes
    for key in one.keys() ^ other.keys():
        base, _, name = key.partition(".")
        if base == "self" and name.isidentifier() and key in frame.unsettled:
            (other if key in one else one)[key] = attribute_of(frame, owner, name)


def assert_(frame: Frame, node: ast.Assert) -> None:
    """Run `assert`: its message is on the way to an error, and what follows may rely on the condition."""
    condition(frame, node.test, "assert")
    if node.msg is not None:
        outer, frame.region = frame.region, failure(frame, node.msg, "only when the assertion fails")
        frame.eval(node.msg)
        frame.region = outer
    narrowing.assume(frame, node.test, True)


def raise_(frame: Frame, node: ast.Raise) -> None:
    """Run `raise`, which is on the way to an error."""
    outer, frame.region = frame.region, failure(frame, node, "only on the way to an error")
    for part in (node.exc, node.cause):
        if part is not None:
            frame.eval(part)
    frame.region, frame.alive = outer, False


def match_(frame: Frame, node: ast.Match) -> None:
    """Run each case from the same start, and join them."""
    subject = frame.eval(node.subject)
    before, outcomes = frame.env, [dict(frame.env)]
    for case in node.cases:
        frame.env, frame.alive = dict(before), True
        match_case(frame, node.subject, case, subject)
        if frame.alive:
            outcomes.append(frame.env)
    frame.env, frame.alive = merged(outcomes) or before, True


def match_case(frame: Frame, asked: ast.expr, case: ast.match_case, subject: Value) -> None:
    """Run one case, with the names that its pattern binds, in the region of an `if` that asks the same."""
    for name, value in patterns.bound(frame, case.pattern, subject):
        frame.assign_name(name, frame.recorder.same(value))
    if case.guard is not None:
        condition(frame, case.guard, "a case's guard")
        narrowing.assume(frame, case.guard, True)
    test = ast.copy_location(patterns.comparison(asked, case.pattern) or ast.Constant(True), asked)
    if case.guard is not None:
        test = ast.copy_location(ast.BoolOp(ast.And(), [test, case.guard]), asked)
    same = ast.copy_location(ast.If(test, case.body, []), asked)
    frame.in_region(branch_region(frame, same, case.body, True), case.body)


def try_(frame: Frame, node: ast.Try) -> None:
    """Run `try`: a handler begins with what holds before or after the body."""
    before = dict(frame.env)
    frame.block(node.body)
    after = frame.env
    if frame.alive:
        frame.block(node.orelse)
    outcomes = [frame.env] if frame.alive else []
    for handler in node.handlers:
        frame.env, frame.alive = dict(merged([before, after]) or before), True
        handle(frame, handler)
        if frame.alive:
            outcomes.append(frame.env)
    joined = merged(outcomes)
    frame.env, frame.alive = before if joined is None else joined, True
    frame.block(node.finalbody)
    frame.alive = frame.alive and joined is not None


def handle(frame: Frame, handler: ast.ExceptHandler) -> None:
    """Run an `except` body."""
    if handler.name:
        frame.env[handler.name] = Host("object")
    frame.in_region(failure(frame, handler.body[0], "only when an exception was raised"), handler.body)
