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
    for call in _calls(body):
        taken = call.args[0]
        source = bound(frame, taken) if isinstance(taken, ast.Name) else iterated(frame, taken)
        name = loader_name(source)
        if name is None:
            continue
        if not region.evaluating and names_evaluation(source):
            region.evaluating = "it is named like evaluation data"
        region.mark_step(frame.because(call, f"the loop takes the next batch of `{name}`"), False)
        return


def _calls(body: Sequence[ast.stmt]) -> Iterator[ast.Call]:
    """Yield the calls of `next` whose results statements of a loop bind, even in a `try`."""
    for statement in body:
        match statement:
            case ast.Assign(value=ast.Call(func=ast.Name(id="next"), args=[_, *_]) as call):
                yield call
            case ast.Try(body=tried):
                yield from _calls(tried)
