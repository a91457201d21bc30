"""The waits in a trace: which calls of the CUDA runtime blocked, for how long, and inside which functions.

A trace is read twice. First come the calls that block; then everything that encloses one of them, in time and on the
same thread, becomes its stack. So memory grows with the number of waits, not with the trace. What waits in a thread of
the autograd engine has the stack of the call of `backward()` besides, which is in another thread.
"""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from ..cuda.profile import BLOCKING
from .reading import TraceError, events

_SQLITE: Final = b"SQLite format 3\x00"
STEP: Final = "ProfilerStep#"
_PYTHON: Final = re.compile(r"(?P<file>.+\.py|<[^>]+>)\((?P<line>\d+)\): (?P<function>.+)")
_PROFILERS: Final = ("torch/autograd/profiler.py", "torch/profiler/profiler.py")
_OPERATOR: Final = "Operator"
"""What the first versions of torch.profiler call an operator, and an annotation."""
_ENGINE: Final = "autograd::engine::evaluate_function"
_PASS: Final = "<built-in method run_backward of "
"""The call by which Python has the engine go backward."""
MOST_WAITS: Final = 5_000_000

Thread: TypeAlias = tuple[Any, Any]


@dataclass(frozen=True, slots=True)
class Frame:
    """A Python function in a trace: its file as written there, the line of its `def`, and its name."""

    filename: str
    line: int
    function: str


class Span(NamedTuple):
    """Something that lasted: a function or an operator; `caller` is the line that called it, if the trace tells.

    `stack` is what the first versions of torch.profiler write down for an operator, innermost first, each function with
    the line that runs: `train.py(12): step;train.py(30): <module>`.
    """

    start: float
    duration: float
    name: str
    caller: str = ""
    stack: str = ""


@dataclass(slots=True)
class Traced:
    """One wait: the runtime's call, when it began, its time, and what enclosed it."""

    call: str
    start: float
    seconds: float
    around: list[Span] = field(default_factory=list)

    @property
    def spans(self) -> list[Span]:
        """What enclosed the wait, outermost first."""
        return sorted(self.around, key=lambda each: (each.start, -each.duration))


@dataclass(slots=True)
class Trace:
    """What a trace tells: its waits, the functions that ran, and the number of steps, if it marks them.

    `has_calls` says that it records calls of the CUDA runtime at all: without any, nobody knows what waited.
    """

    waits: list[Traced] = field(default_factory=list)
    functions: set[Frame] = field(default_factory=set)
    steps: int = 0
    has_calls: bool = False

    @property
    def seconds(self) -> float:
        """The time of all waits."""
        return sum(wait.seconds for wait in self.waits)


def frame_of(name: str) -> Frame | None:
    """Return the Python function that an event's name tells, if it is one of a file."""
    match = _PYTHON.fullmatch(name)
    return Frame(match["file"], int(match["line"]), match["function"]) if match else None


def trace_of(path: Path) -> Trace:
    """Return what a trace tells: Chrome's JSON, or an export of Nsight Systems to SQLite. Raises TraceError."""
    try:
        with path.open("rb") as file:
            is_database = file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise TraceError(f"{path}: {error.strerror}") from error
    return _of_database(path) if is_database else _of_events(lambda: events(path), path)


def _of_events(read: Callable[[], Iterable[dict[str, Any]]], path: Path) -> Trace:
    trace = Trace()
    threads: dict[Thread, list[Traced]] = defaultdict(list)
    for event, start, duration in _spans(read()):
        name = str(event.get("name", ""))
        trace.has_calls |= is_call(name)
        if name in BLOCKING or is_pass(name):
            threads[_thread(event)].append(Traced(name, start, duration / 1e6))
            if sum(map(len, threads.values())) > MOST_WAITS:
                raise TraceError(f"{path} has more than {MOST_WAITS} waits")
        elif name.startswith(STEP) and event.get("cat") in ("user_annotation", _OPERATOR):
            trace.steps += 1
    for waits in threads.values():
        waits.sort(key=lambda wait: wait.start)
    starts = {thread: [wait.start for wait in waits] for thread, waits in threads.items()}
    for event, start, duration in _spans(read()):
        if event.get("cat") not in ("python_function", "cpu_op", _OPERATOR):
            continue
        name, stack = str(event.get("name", "")), _argument(event, "Call stack")
        trace.functions.update(filter(None, map(frame_of, (name, *stack.split(";")))))
        thread = _thread(event)
        if thread not in starts:
            continue
        first = bisect_left(starts[thread], start)
        for wait in threads[thread][first : bisect_right(starts[thread], start + duration)]:
            wait.around.append(Span(start, duration, name, _argument(event, "CallFrom"), stack))
    for waits in threads.values():
        for wait in waits:
            wait.around = _with_frames(wait.spans)
    add_callers_of_backward((thread, each) for thread, found in threads.items() for each in found)
    trace.waits = [each for found in threads.values() for each in found if is_wait(each)]
    return trace


def is_call(name: str) -> bool:
    """Whether an event is a call of the CUDA runtime."""
    return name in BLOCKING or re.match(r"(?:cuda|hip)[A-Z]\w+$", name) is not None


def is_pass(name: str) -> bool:
    """Whether an event is a call of the autograd engine."""
    return name.startswith(_PASS)


def is_wait(found: Traced) -> bool:
    """Whether something is a wait of the program."""
    return not is_pass(found.call) and not is_profilers(found)


def add_callers_of_backward(found: Iterable[tuple[Thread, Traced]]) -> None:
    """Add to what waits in the engine's threads what encloses the call of the engine.

    It is the latest that is under way in another thread: one in the same thread is on its own stack.
    """
    under_way: list[tuple[Thread, Traced]] = []
    for thread, each in sorted(found, key=lambda pair: pair[1].start):
        under_way = [(caller, call) for caller, call in under_way if call.start + call.seconds * 1e6 > each.start]
        if is_pass(each.call):
            under_way.append((thread, each))
        elif _is_engines(each):
            others = [call for caller, call in under_way if caller[0] == thread[0] and caller != thread]
            each.around += others[-1].around if others else ()


def _is_engines(wait: Traced) -> bool:
    """Whether a wait is in a thread of the engine: it runs there, and nothing in this thread has called it."""
    names = (span.name for span in wait.spans)
    return next((name.startswith(_ENGINE) for name in names if name.startswith((_ENGINE, _PASS))), False)


def _spans(found: Iterable[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], float, float]]:
    """Yield the events that last, with their beginning and duration in microseconds."""
    for event in found:
        start, duration = event.get("ts"), event.get("dur")
        if event.get("ph") == "X" and isinstance(start, (int, float)) and isinstance(duration, (int, float)):
            yield event, float(start), float(duration)


def _thread(event: dict[str, Any]) -> Thread:
    return str(event.get("pid")), str(event.get("tid"))


def _argument(event: dict[str, Any], name: str) -> str:
    """Return what else is said of an event: `CallFrom`, the line of a call since torch 2.14, or `Call stack`."""
    arguments = event.get("args")
    return str(arguments.get(name, "")) if isinstance(arguments, dict) else ""


def _with_frames(spans: list[Span]) -> list[Span]:
    """Return what enclosed a wait with the functions that called the innermost operator, if only it tells them."""
    last = next((at for at in reversed(range(len(spans))) if spans[at].stack), None)
    if last is None or any(frame_of(each.name) for each in spans):
        return spans
    first = last
    while first and spans[first - 1].stack == spans[last].stack:
        first -= 1
    called, caller, functions = spans[first], "", []
    for name in reversed(called.stack.split(";")):
        functions.append(Span(called.start, called.duration, name, caller))
        frame = frame_of(name)
        caller = f"{frame.filename}:{frame.line}" if frame else ""
    return [*spans[:first], *functions, called._replace(caller=caller), *spans[first + 1 :]]


def is_profilers(wait: Traced) -> bool:
    """Whether the profiler itself waits, to complete its record: without stacks, it is known by being alone."""
    if not wait.around:
        return wait.call == "cudaDeviceSynchronize"
    frames = (frame_of(span.name) for span in wait.around)
    return any(frame is not None and frame.filename.replace("\\", "/").endswith(_PROFILERS) for frame in frames)


_CALLS: Final = """
    SELECT names.value, calls.start, calls.end - calls.start
    FROM CUPTI_ACTIVITY_KIND_RUNTIME AS calls JOIN StringIds AS names ON names.id = calls.nameId
"""


def _of_database(path: Path) -> Trace:
    """Return the waits in an export of Nsight Systems; what called them is not in it. Raises TraceError."""
    trace = Trace()
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            for name, start, duration in connection.execute(_CALLS):
                trace.has_calls = True
                call = str(name).partition("_v")[0]
                if call in BLOCKING:
                    trace.waits.append(Traced(call, start / 1e3, duration / 1e9))
        finally:
            connection.close()
    except (sqlite3.Error, TypeError) as error:
        raise TraceError(f"{path} is not an export of Nsight Systems: {error}") from error
    return trace
