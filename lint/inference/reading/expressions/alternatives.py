"""Reads dicts of alternatives, one of which is chosen by its key: `heads = {"a": A(), "b": B()}`, `heads[name]`."""

from __future__ import annotations

import ast

from ...often.regions import Region, RegionKind
from ...values.union import Value
from ..recording.registrations import kept_under, named
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
    frame.region = Region(RegionKind.CHOICE, outer, choices=lambda: (words,))
    value = frame.eval(node)
    frame.region = outer
    frame.file.summary.chosen.update(named(frame, node, words))
    return value
