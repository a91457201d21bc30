"""Reads what a CUDA graph captures between two calls: `g.capture_begin()` and `g.capture_end()`."""

from __future__ import annotations

import ast

from ....facts import cuda_graphs
from ...often.nested import statements
from ...often.regions import Region, RegionKind
from ..state.frame import Frame


def captured_from(frame: Frame, node: ast.Expr, called: str) -> Region:
    """Return the region behind `g.capture_begin()`, if the capture ends in the same body, or behind its end."""
    ends = cuda_graphs.CAPTURE_METHODS[1]
    if called == ends:
        return _before_capture(frame.region)
    if not any(_is_call_of(ends, each) for each in statements(frame.body)):
        return frame.region
    frame.file.summary.traces = True
    return Region(RegionKind.CAPTURED, frame.region, frame.because(node, "a CUDA graph is captured from here on"))


def _before_capture(region: Region) -> Region:
    """Return the region around the innermost capture; the region itself if there is none."""
    around: Region | None = region
    while around is not None and around.kind is not RegionKind.CAPTURED:
        around = around.parent
    return region if around is None or around.parent is None else around.parent


def _is_call_of(method: str, statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=called))):
            return called == method
    return False
