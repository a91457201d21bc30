"""Finds loops that take their batches by hand: `for step in range(n): batch = next(batches)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...often.gates import loader_name, names_evaluation
from ...often.regions import Region
from ..state.frame import Frame
from .wrapped import bound, iterated


def mark_taking(frame: Frame, region: Region, body: Sequence[ast.stmt]) -> None:
    """Mark a loop as one over batches if it takes the next one from what goes through a loader in each pass."""
    for call, taken in _calls(body):
        source = bound(frame, taken) if isinstance(taken, ast.Name) else iterated(frame, taken)
        name = loader_name(source)
        if name is None:
            continue
        if not region.evaluating and names_evaluation(source):
            region.evaluating = "it is named like evaluation data"
        region.mark_step(frame.because(call, f"the loop takes the next batch of `{name}`"), False)
        return


def _calls(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Yield the calls of `next` whose results statements of a loop bind, even in a `try`, and what each takes from."""
    for statement in body:
        match statement:
            case ast.Assign(value=ast.Call(func=ast.Name(id="next"), args=[taken, *_]) as call):
                yield call, taken
            case ast.Assign(value=ast.Call(func=ast.Attribute(value=taken, attr="next"), args=[]) as call):
                yield call, taken
            case ast.Try(body=tried):
                yield from _calls(tried)
