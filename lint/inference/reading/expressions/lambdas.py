"""Reads lambdas: each is a function, called as often and with what the program calls it with."""

from __future__ import annotations

import ast

from ...notes.summary import FunctionSummary
from ...often.regions import Region, RegionKind
from ...often.signature import defaults
from ...values.ops import Op
from ...values.union import Deferred, Function, Sequence, Value
from ..state.file_state import NOT_CALLED
from ..state.frame import Frame
from ..state.scope import LAMBDA

KEPT = (RegionKind.WITH, RegionKind.NO_GRAD, RegionKind.CAPTURED, RegionKind.COMPILED, RegionKind.SCRIPTED)
"""Kinds of regions that hold inside a lambda as they do around it."""


def function_of(frame: Frame, node: ast.Lambda) -> Value:
    """Return the function that a lambda creates, whose body is read with the names as they are here.

    Where it is created it counts as passed on; one without parameters may never run.
    """
    known = frame.file.lambdas.get(node)
    summary = frame.file.lambdas[node] = known or _declared(frame, node)
    inner = frame.inside(summary.name, frame.cls)
    inner.env, inner.closure = dict(frame.env), frame.closure
    inner.roots, inner.statement, inner.region = {*frame.roots}, frame.statement, _within(frame.region)
    for name, term in summary.terms.items():
        inner.assign_name(name, term)
    for extra, kind in ((node.args.vararg, "tuple"), (node.args.kwarg, "dict")):
        if extra is not None:
            inner.assign_name(extra.arg, Sequence(kind))
    for name, default in defaults(node.args):
        summary.defaults[name] = frame.eval(default)
    summary.returns = inner.eval(node.body)
    if summary.terms or node.args.vararg:
        frame.note_call(summary.name, (), (), passed=True)
    return Function(summary.name)


def enclosing(scope: str) -> str:
    """Return the function around a lambda; for anything else, the scope itself."""
    return scope.partition(f".{LAMBDA}")[0] if LAMBDA in scope else scope


def _declared(frame: Frame, node: ast.Lambda) -> FunctionSummary:
    file, args = frame.file, node.args
    full = f"{frame.scope or file.module}.{LAMBDA} {len(file.lambdas) + 1}>"
    plain = tuple(each.arg for each in (*args.posonlyargs, *args.args))
    names = (*plain, *(each.arg for each in args.kwonlyargs))
    summary = file.summary.functions[full] = FunctionSummary(full, plain, role=file.role, firm=file.is_test)
    summary.terms = {name: Deferred(Op.PARAMETER, f"{full}:{name}") for name in names}
    if summary.role is None and not names and args.vararg is None:
        summary.role = NOT_CALLED
    return summary


def _within(outer: Region) -> Region:
    """Return the region of a lambda's body."""
    region = Region(RegionKind.FUNCTION)
    around: Region | None = outer
    while around is not None:
        if around.kind in KEPT:
            region = Region(around.kind, region, around.reason, context=around.context, options=around.options)
        around = around.parent
    return region
