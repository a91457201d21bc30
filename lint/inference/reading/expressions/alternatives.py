"""Reads alternatives: in a dict, `heads = {"a": A(), "b": B()}`, `heads[name]`, and functions that have one name."""

from __future__ import annotations

import ast

from ...notes.quotation import quotation
from ...often.nested import bound_by, statements
from ...often.regions import Region, RegionKind
from ...values.union import Function, Module, OneOf, Value
from ..recording.registrations import MOST_TEXT, kept_under, named
from ..state.frame import Frame


def chosen_from(frame: Frame, node: ast.Assign) -> str:
    """Return the name of a dict of alternatives that is assigned here; empty for anything else."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[_, _, *_] as keys)):
            texts = all(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in keys)
            told = frame.file.tables
            return name if texts and told.asked(name) and not told.gone_through(name) else ""
    return ""


def alternative(frame: Frame, name: str, key: ast.expr, node: ast.expr) -> Value:
    """Return an item of a dict of alternatives: what makes it runs where it is chosen, and so does what it is."""
    words = kept_under(frame, name, key)
    outer = frame.region
    frame.region = Region(RegionKind.CHOICE, outer, conditions=lambda: (words,))
    value = frame.eval(node)
    frame.region = outer
    frame.file.summary.chosen.update(named(frame, node, words))
    return value


def called_where(frame: Frame, node: ast.Call, callee: Value, name: str) -> Region:
    """Return the region in which a call runs the function with this full name: where that is the one called here.

    Where a loop binds what it calls, all of them run.
    """
    match callee, node.func:
        case OneOf(options), ast.Name(id=called) if all(isinstance(each, Function | Module) for each in options):
            last = name.rpartition(".")[2]
            if last.isidentifier() and last != called and not _is_bound_by_loop(frame, called):
                words = f"`{quotation(called, MOST_TEXT)}` is `{quotation(last, MOST_TEXT)}`"
                return Region(RegionKind.CHOICE, frame.region, conditions=lambda: (words,))
    return frame.region


def _is_bound_by_loop(frame: Frame, name: str) -> bool:
    """Whether a loop around this place binds a name, in its head or its body."""
    if frame.region.loop_of(name) is not None:
        return True
    return any(name in bound_by(each) for loop in frame.loops for each in statements(loop.body))
