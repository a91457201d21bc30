"""The final arbiter: waits that only torch's profiler sees, such as those inside thrust, sparse operators or cuDNN.

The profiler knows every call of the CUDA runtime and nests it into operators and Python calls. It is slow and large, so
it is for short runs. What the other senses have told as well is left out: lines are compared function by function, for
the profiler knows the line of a call exactly only where the call is one of Python's own.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from ..observe import Frame, Kind, Wait, origin_of
from .operators import KINDS

BLOCKING: Final = frozenset(
    f"{prefix}{name}"
    for prefix in ("cuda", "hip")
    for name in ("StreamSynchronize", "DeviceSynchronize", "EventSynchronize", "Memcpy", "Memcpy2D")
)
"""Calls of the CUDA runtime that return when the device is done."""

_PROFILERS: Final = ("torch/autograd/profiler.py", "torch/profiler/profiler.py")


def start() -> Any:
    """Return a running profiler."""
    from torch.profiler import ProfilerActivity, profile

    profiler = profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], with_stack=True)
    profiler.start()
    return profiler


def missing(profiler: Any, waits: Sequence[Wait], roots: Sequence[str] = ()) -> list[Wait]:
    """Stop the profiler and return the waits that it has seen and that are not among those given."""
    profiler.stop()
    tree = profiler.profiler.kineto_results.experimental_event_tree()
    return surplus(list(waits_in(tree, roots)), waits)


def waits_in(events: Iterable[Any], roots: Sequence[str] = ()) -> Iterator[Wait]:
    """Return the waits in a tree of the profiler's events."""
    for event in events:
        if event.name in BLOCKING and not _is_profilers(stack := _stack(event)):
            operator, kind = _operator(event)
            yield origin_of(stack, roots).wait(operator, kind, event.duration_time_ns / 1e9)
        yield from waits_in(event.children, roots)


def _operator(event: Any) -> tuple[str, Kind]:
    """Return the outermost operator around a runtime call, within the innermost Python call."""
    name, above = event.name, event.parent
    while above is not None and not hasattr(above.extra_fields, "caller"):
        if "::" in above.name:
            name = above.name
        above = above.parent
    plain = name.rpartition("::")[2]
    return plain, KINDS.get(plain, "synchronize" if plain.endswith("Synchronize") else "unknown")


def _stack(event: Any) -> tuple[Frame, ...]:
    """Return the Python frames around an event, outermost first, by the calls that the profiler knows.

    A Python call is known by the line of its caller and by the first line of the function. Only of the innermost one is
    the latter needed: where an operator such as `x[mask]` waits, which is no call, no line of that function is known.
    """
    frames: list[Frame] = []
    while event is not None:
        caller, called = (getattr(event.extra_fields, name, None) for name in ("caller", "callsite"))
        frames += (_frame(each) for each in (called if not frames else None, caller) if each is not None)
        event = event.parent
    return tuple(reversed(frames))


def _frame(state: Any) -> Frame:
    return (_path(state.file_name), state.line_number, state.function_name)


def _is_profilers(stack: Sequence[Frame]) -> bool:
    """Whether the profiler itself is waiting, to complete its record."""
    return any(name.replace(os.sep, "/").endswith(_PROFILERS) for name, _, _ in stack)


def _path(filename: str) -> str:
    """Return the full path: the profiler omits the part that is an entry of `sys.path`."""
    if os.path.isabs(filename):
        return filename
    places = (os.path.join(entry or os.getcwd(), filename) for entry in sys.path)
    return next(filter(os.path.exists, places), filename)


def surplus(profiled: Sequence[Wait], told: Sequence[Wait]) -> list[Wait]:
    """Return what remains of the profiled waits after removing the reported ones, per function."""
    by_function: dict[tuple[str, str], list[Wait]] = defaultdict(list)
    for wait in profiled:
        by_function[_function(wait)].append(wait)
    left = []
    for function, waits in by_function.items():
        known = [wait.row for wait in told if _function(wait) == function]
        for wait in list(waits):
            if wait.row in known:
                known.remove(wait.row)
                waits.remove(wait)
        left += waits[len(known) :]  # what is still known was seen on a line that the profiler got wrong
    return left


def _function(wait: Wait) -> tuple[str, str]:
    """Return the function that waited; its file may be known by another path to the profiler, as below a link."""
    frames = (name for filename, row, name in reversed(wait.stack) if (filename, row) == wait.place)
    return os.path.realpath(wait.filename), next(frames, "")
