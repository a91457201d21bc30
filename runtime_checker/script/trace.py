"""The waits and steps of a run as a trace that viewers open: Chrome's JSON for Perfetto, or speedscope's."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ..observe import Wait
from .program import programs_part
from .steps import Steps

SPEEDSCOPE: Final = ".speedscope.json"
_SCHEMA: Final = "https://www.speedscope.app/file-format-schema.json"


def traced(path: str, device: str, steps: Steps) -> Iterator[str]:
    """Yield the lines of the trace, in the format that the file's name asks for."""
    return _speedscope(device, steps) if path.endswith(SPEEDSCOPE) else _chrome(device, steps)


def _chrome(device: str, steps: Steps) -> Iterator[str]:
    """Yield a trace in the format of Chrome's trace events, one event to a line."""
    process = os.getpid()
    yield '{"displayTimeUnit": "ms", "otherData": ' + json.dumps({"device": device}) + ', "traceEvents": ['
    named = {"ph": "M", "name": "process_name", "pid": process, "tid": 0, "args": {"name": f"synclint: {device}"}}
    yield json.dumps(named)
    for event in (*_steps(steps), *_waits(steps)):
        yield "," + json.dumps({"pid": process, **event})
    yield "]}"


def _steps(steps: Steps) -> Iterator[dict[str, Any]]:
    began = steps.started
    for number, (_, ended) in enumerate(steps.marks, start=1):
        yield {
            "ph": "X", "name": f"step {number}", "cat": "step", "tid": 0,
            **_lasting(began - steps.started, ended - steps.started),
        }  # fmt: skip
        began = ended


def _waits(steps: Steps) -> Iterator[dict[str, Any]]:
    """Yield the waits in order; none begins before the one ahead of it in its thread is over, as viewers require."""
    over: dict[int, float] = {}
    for wait in sorted(steps.waits, key=lambda wait: wait.ended):
        ended = wait.ended - steps.started
        yield _event(wait, over.get(wait.thread, ended - (wait.seconds or 0.0)), ended)
        over[wait.thread] = ended


def _event(wait: Wait, over: float, ended: float) -> dict[str, Any]:
    """Return a wait as a span, or as an instant if nobody knows how long it was."""
    where = {"line": f"{wait.filename}:{wait.row}", "kind": wait.kind, "stack": [_frame(f) for f in _stack(wait)]}
    event = {"name": wait.operator, "cat": wait.kind, "tid": wait.thread, "args": where}
    if wait.seconds is None:
        return {**event, "ph": "i", "s": "t", "ts": _micro(ended)}
    return {**event, "ph": "X", **_lasting(max(over, ended - wait.seconds), ended)}


def _lasting(began: float, ended: float) -> dict[str, float]:
    """Return the times of a span. They add up exactly, or viewers would take it for one that overlaps the next."""
    start = _micro(began)
    return {"ts": start, "dur": _micro(ended) - start}


def _speedscope(device: str, steps: Steps) -> Iterator[str]:
    """Yield a sampled profile for each thread: a wait is a sample of its time or, without a clock, of one."""
    frames: dict[tuple[str, int, str], int] = {}
    is_timed = any(wait.seconds for wait in steps.waits)
    profiles = []
    for thread in sorted({wait.thread for wait in steps.waits}):
        own = [wait for wait in steps.waits if wait.thread == thread]
        samples = [[frames.setdefault(frame, len(frames)) for frame in _frames(wait)] for wait in own]
        weights = [_micro(wait.seconds or 0.0) if is_timed else 1 for wait in own]
        profiles.append(
            {
                "type": "sampled",
                "name": f"waits of thread {thread}",
                "unit": "microseconds" if is_timed else "none",
                "startValue": 0,
                "endValue": sum(weights),
                "samples": samples,
                "weights": weights,
            }
        )
    known = [{"name": name, "file": file, "line": row} for file, row, name in frames]
    record = {"$schema": _SCHEMA, "name": device, "exporter": "synclint", "shared": {"frames": known}}
    yield json.dumps({**record, "profiles": profiles})


def _frames(wait: Wait) -> Sequence[tuple[str, int, str]]:
    return (*_stack(wait), (wait.filename, wait.row, f"{wait.operator} ({wait.kind})"))


def _stack(wait: Wait) -> Sequence[tuple[str, int, str]]:
    return programs_part(wait.stack)


def _frame(frame: tuple[str, int, str]) -> str:
    return f"{frame[0]}:{frame[1]} {frame[2]}"


def _micro(seconds: float) -> float:
    """Return microseconds, in eighths: these are exact in binary and short in decimals."""
    return round(seconds * 8e6) / 8
