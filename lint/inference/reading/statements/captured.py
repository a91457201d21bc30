"""Reads what a CUDA graph captures: in `with`, or between `g.capture_begin()` and `g.capture_end()`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ....facts import cuda_graphs
from ...notes.rebound import Rebound
from ...often.nested import BLOCKS, statements
from ...often.regions import Region, RegionKind
from ..state.frame import Frame
from .replays import dotted, rebound, rebound_by_others


def captured_by(frame: Frame, node: ast.With | ast.AsyncWith, manager: ast.expr) -> None:
    """Note that `with` captures its body in a CUDA graph."""
    match manager:
        case ast.Call(args=[graph, *_]) | ast.Call(keywords=[ast.keyword(arg="cuda_graph", value=graph), *_]):
            _note_captured(frame, node.body, graph)
    frame.file.summary.traces = True


def captured_from(frame: Frame, node: ast.Expr, method: str) -> Region:
    """Return the region behind `g.capture_begin()`, if the capture ends in the same body, or behind its end."""
    ends = cuda_graphs.CAPTURE_METHODS[1]
    if method == ends:
        return _before_capture(frame.region)
    if not any(_is_call_of(ends, each) for each in statements(frame.body)):
        return frame.region
    if (captured := _up_to(ends, frame.body, node)) and isinstance(node.value, ast.Call):
        graph = node.value.func
        _note_captured(frame, captured, graph.value if isinstance(graph, ast.Attribute) else graph)
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


def _up_to(method: str, body: Sequence[ast.AST], begins: ast.stmt) -> Sequence[ast.stmt]:
    """Return the statements behind one, up to the call of a method in the same block."""
    blocks = [body]
    while blocks:
        block = [each for each in blocks.pop() if isinstance(each, ast.AST)]
        if begins in block:
            behind = [each for each in block[block.index(begins) + 1 :] if isinstance(each, ast.stmt)]
            end = next((at for at, each in enumerate(behind) if _is_call_of(method, each)), 0)
            return behind[:end]
        blocks += (getattr(each, name) for each in block for name in BLOCKS.get(type(each), ()))
    return ()


def _note_captured(frame: Frame, captured: Sequence[ast.stmt], graph: ast.expr) -> None:
    """Note what is bound anew before the graph is replayed, with what it is while that is captured."""
    for each in rebound(frame.body, captured, graph):
        frame.file.captured[each.statement] = frame.eval(each.read), each.read.lineno
    if frame.node is None or not frame.cls:
        return
    methods = frame.file.bodies.methods(frame.cls)
    for name, each in rebound_by_others(methods, frame.node.name, captured, graph):
        target, value, region = each.target, frame.eval(each.read), Region(RegionKind.FUNCTION)
        what: dict[str, Any] = {"value": value, "before": value, "key": dotted(target), "row": each.read.lineno}
        frame.recorder.emit(Rebound, target, each.statement, region, f"{frame.cls}.{name}", **what)


def note_rebound(frame: Frame, node: ast.Assign | ast.AugAssign) -> None:
    """Record that a statement binds anew what a CUDA graph has captured, once it is read."""
    if (captured := frame.file.captured.get(node)) is None:
        return
    target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    before, row = captured
    added = isinstance(node, ast.AugAssign)
    frame.emit(Rebound, target, value=frame.eval(target), before=before, key=dotted(target), row=row, added=added)
