"""The record of torch's profiler in this process: what its trace has, and the calling lines besides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..cuda.profile import BLOCKING
from .waits import STEP, Span, Trace, Traced, add_callers_of_backward, frame_of, is_call, is_pass, is_wait


def trace_of_profiler(profiler: Any) -> Trace:
    """Return what a `torch.profiler.profile` has recorded. Raises ValueError if that is nothing."""
    results = getattr(getattr(profiler, "profiler", profiler), "kineto_results", None)
    if results is None:
        raise ValueError("the profiler has recorded nothing: join it after it has stopped, or in `on_trace_ready`")
    trace = Trace()
    found = []
    for event in _events(results.experimental_event_tree()):
        name = _name(event)
        trace.has_calls |= name in BLOCKING or is_call(name)
        if name in BLOCKING or is_pass(name):
            start, seconds = event.start_time_ns / 1e3, event.duration_time_ns / 1e9
            around = [*_around(event), _span(event)] if is_pass(name) else list(_around(event))
            found.append((("", event.start_tid), Traced(name, start, seconds, around)))
        elif frame := frame_of(name):
            trace.functions.add(frame)
        elif name.startswith(STEP):
            trace.steps += 1
    add_callers_of_backward(found)
    trace.waits = [each for _, each in found if is_wait(each)]
    return trace


def _events(tree: list[Any]) -> Iterator[Any]:
    """Yield all events of a tree, which may be deeper than Python's stack."""
    left = list(reversed(tree))
    while left:
        event = left.pop()
        yield event
        left += reversed(event.children)


def _around(event: Any) -> Iterator[Span]:
    above = event.parent
    while above is not None:
        yield _span(above)
        above = above.parent


def _span(event: Any) -> Span:
    return Span(event.start_time_ns / 1e3, event.duration_time_ns / 1e3, _name(event), _caller(event))


def _name(event: Any) -> str:
    """Return an event's name, or "" where torch no longer has it: the memory of some names is gone too early."""
    try:
        return str(event.name)
    except UnicodeDecodeError:
        return ""


def _caller(event: Any) -> str:
    """Return the line that calls the Python function of an event, or "" if there is none, or torch no longer has it."""
    caller = getattr(event.extra_fields, "caller", None)
    try:
        return f"{caller.file_name}:{caller.line_number}" if caller is not None else ""
    except UnicodeDecodeError:
        return ""
