"""Reads dicts of alternatives, one of which is chosen by its key: `heads = {"a": A(), "b": B()}`, `heads[name]`."""

from __future__ import annotations

import ast
import re

from ...often.regions import Region, RegionKind
from ...values.union import Value
from ..recording.registrations import is_gone_through, kept_under, named
from ..state.frame import Frame


def chosen_from(frame: Frame, node: ast.Assign) -> str:
    """Return the name of a dict of alternatives that is assigned here; empty for anything else."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[_, _, *_] as keys)):
            texts = all(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in keys)
            return name if texts and _is_asked(frame, name) and not is_gone_through(frame, name) else ""
    return ""


def _is_asked(frame: Frame, name: str) -> bool:
    """Whether the file looks up what it does not name itself: `heads[name]`, `heads.get(name)`."""
    pattern = rf"\b{re.escape(name)}(?:\[|\.get\()\s*(?![\"'\s])"
    return re.search(pattern, frame.file.source.text) is not None


def alternative(frame: Frame, name: str, key: ast.expr, node: ast.expr) -> Value:
    """Return an item of a dict of alternatives: what makes it runs where it is chosen, and so does what it is."""
    words = kept_under(frame, name, key)
    outer = frame.region
    frame.region = Region(RegionKind.CHOICE, outer, choices=lambda: (words,))
    value = frame.eval(node)
    frame.region = outer
    frame.file.summary.chosen.update(named(frame, node, words))
    return value
