"""Records functions that are handed on to be called: to a library, or to code that nobody knows."""

from __future__ import annotations

import ast
from typing import Final

from ....facts.callbacks import CAPTURED, COMPILED, COMPOSED, HOOK, TRANSFORMS, Callback
from ....facts.libraries import MODULE_KINDS, WORKER_KINDS
from ...library import callbacks
from ...notes.arguments_given import argument
from ...often.nested import statements
from ...often.regions import Region, RegionKind
from ...often.roles import prepares_data
from ...often.tracing import options_of
from ...values.arguments import Arguments, Keywords
from ...values.union import Function, Value
from ..state.frame import Frame, FunctionNode
from ..state.scope import is_lambda
from .engines import listening

TRACED: Final = {CAPTURED: RegionKind.CAPTURED, COMPILED: RegionKind.COMPILED}
"""The regions of what is called later, captured in a CUDA graph or compiled."""


def note_handed(frame: Frame, node: ast.Call, name: str, arguments: Arguments) -> None:
    """Record that a library calls the functions given here; how often, and with what, is a fact.

    What is called a transform may be part of a model, unless it is given to what is known, or named, to prepare data.
    So may what is composed, and what a model composes is.
    """
    for row, call in callbacks.handed(name, arguments, frame.file.default_of):
        if (region := region_of(frame, node, row)) is None:
            continue
        if row.how_often in TRACED:
            region.options = options_of(
                (each, getattr(value, "constant", None)) for each, value in arguments.keywords.items()
            )
            frame.file.summary.traces = True
            frame.recorder.called(*call, region, frame.scope, passed=True)
            continue
        is_composed = row.how_often == COMPOSED
        if is_composed and frame.file.inheritance.kind(frame.cls) in MODULE_KINDS:
            continue
        is_open = is_composed or (row.name in TRANSFORMS and not _prepares(frame, name))
        if is_open:
            frame.recorder.called(*call, region, frame.scope, passed=True)
        if not is_open or not (is_composed or callbacks.is_held(arguments.keywords.get(row.name))):
            frame.recorder.called(*call, region, frame.scope)


def _prepares(frame: Frame, name: str) -> bool:
    """Whether a class prepares data, by its kind, or else by its name and that of its file."""
    *folders, last = name.split(".")
    kind = frame.file.inheritance.kind(name)
    return kind in WORKER_KINDS if kind else "data" in last.lower() or prepares_data(folders)


def region_of(frame: Frame, node: ast.Call, row: Callback) -> Region | None:
    """Return the region in which a library calls the function it is given here; None if it hears no known event."""
    if not row.how_often:
        return frame.region
    if row.how_often == "event":
        return listening(frame, node)
    reason = frame.because(node, row.words)
    if row.how_often in TRACED:
        return Region(TRACED[row.how_often], frame.region, reason)
    if row.how_often in ("element", "worker", COMPOSED):
        return Region(RegionKind.LOOP if row.how_often == "element" else RegionKind.WORKER, frame.region, reason)
    if row.how_often == "step":
        if row.name == HOOK and frame.node is not None and _takes_off(frame.node):
            words = f"{row.words}, until `{frame.node.name}` takes it off again"
            return Region(RegionKind.HOOK_FOR_NOW, frame.region, frame.because(node, words))
        return Region(RegionKind.HOOK, frame.region, reason)
    evaluating = row.words if row.how_often == "evaluation" else ""
    either = row.how_often == "batch"
    return Region(RegionKind.LOOP, frame.region, stepping=reason, evaluating=evaluating, either=either)


def _takes_off(node: FunctionNode) -> bool:
    """Whether a function takes hooks off: what lists and sets remove, they are given."""
    for each in statements(node.body):
        match each:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="remove"), args=[], keywords=[])):
                return True
    return False


def note_passed_functions(frame: Frame, arguments: Arguments, to: str = "") -> None:
    """Record that a function passed on will be called from there; a lambda without parameters may never be.

    What a loop hands on by its name may well run once in each of its passes: `retry(agent.learn)`. `to` is the name of
    what is called, which may turn out to be the project's.
    """
    loop = frame.region.nearest_loop()
    given: list[tuple[int | str, Value]] = [*enumerate(arguments.positional), *arguments.keywords.items()]
    for at, value in given:
        if isinstance(value, Function) and frame.file.is_local(value.name) and not frame.file.is_for_later(value.name):
            receiver = () if value.receiver is None else (value.receiver,)
            words = argument(to, at) if to else ""
            frame.recorder.called(value.name, receiver, (), frame.region, frame.scope, True, words)
            if loop is not None and not is_lambda(value):
                loop.calls.append(value.name)


def note_call_of(frame: Frame, function: Function, positional: tuple[Value, ...], keywords: Keywords) -> None:
    """Record that a function or bound method is called here."""
    receiver = () if function.receiver is None else (function.receiver,)
    frame.note_call(function.name, (*receiver, *positional), keywords)
