"""The record of waits: who waited, where, for what and how long. Pure: it imports neither torch nor a device."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType, FrameType, TracebackType
from typing import Final, Literal, Protocol, TypeAlias

Kind: TypeAlias = Literal[
    "reads value",
    "data-dependent shape",
    "copy to host",
    "copy to device",
    "check",
    "synchronize",
    "allocator",
    "unknown",
]
"""The purpose of a wait; a check reads a value too, but only to raise an error."""

Frame: TypeAlias = tuple[str, int, str]
"""One frame of a stack: file, row, function."""

Maker: TypeAlias = tuple[str, int, int]
"""A call that makes an object: file, row, and the column from 1, or 0 if it is not known."""

HERE: Final = os.path.dirname(os.path.abspath(__file__))


@dataclass(frozen=True, slots=True)
class Wait:
    """One time that the host waited for the device.

    `filename` and `row` are the user's line. `library` is the location inside an installed library where the wait
    happened, if it did not happen in the user's line itself. The stack is outermost first; `seconds` is None if the
    blocked time cannot be known.
    """

    filename: str
    row: int
    operator: str
    kind: Kind
    seconds: float | None = None
    library: tuple[str, int] | None = None
    stack: tuple[Frame, ...] = ()
    ended: float = field(default=0.0, compare=False)
    """When it was over, as `time.perf_counter` tells it."""
    thread: int = field(default=0, compare=False)
    maker: Maker | None = field(default=None, compare=False)
    """Where the program made the object whose method waited, if that is known."""

    @property
    def place(self) -> tuple[str, int]:
        """The user's line."""
        return (self.filename, self.row)


class Watcher(Protocol):
    """A context manager that watches a device, real or simulated; `waits` grows while it is entered."""

    waits: list[Wait]
    has_clock: bool
    """Whether the times that anything takes mean something: those of a GPU do, those of a model do not."""

    @property
    def device(self) -> str:
        """The name of what is watched: `NVIDIA H200`, `simulated CUDA device`."""

    def __enter__(self) -> Watcher:
        """Start watching."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop, and put everything back as it was."""


@dataclass(frozen=True, slots=True)
class Line:
    """All the waits of one user line; `seconds` is None if no wait of the line could be timed."""

    filename: str
    row: int
    count: int
    count_per_step: float | None
    seconds: float | None
    seconds_per_step: float | None
    kinds: tuple[Kind, ...]
    operators: tuple[str, ...]
    library: tuple[str, int] | None
    stack: tuple[Frame, ...]


@dataclass(slots=True)
class Ledger:
    """The cost of a run, line by line; `steps` is the number of steps watched, or None if nobody counted."""

    waits: Sequence[Wait] = field(default_factory=list)
    steps: int | None = None

    @property
    def count(self) -> int:
        """The number of waits."""
        return len(self.waits)

    @property
    def seconds(self) -> float | None:
        """The total time for which the host was blocked."""
        return _total(self.waits)

    def lines(self) -> list[Line]:
        """One entry per line, worst first: by blocked time, then by number of waits."""
        by_place: dict[tuple[str, int], list[Wait]] = {}
        for wait in self.waits:
            by_place.setdefault(wait.place, []).append(wait)
        return sorted((self._line(waits) for waits in by_place.values()), key=_worst_first)

    def at(self, filename: str, row: int) -> Line | None:
        """Return the entry of a line, or None if it never waited."""
        waits = [wait for wait in self.waits if wait.place == (filename, row)]
        return self._line(waits) if waits else None

    def _line(self, waits: list[Wait]) -> Line:
        first, seconds = waits[0], _total(waits)
        return Line(
            filename=first.filename,
            row=first.row,
            count=len(waits),
            count_per_step=len(waits) / self.steps if self.steps else None,
            seconds=seconds,
            seconds_per_step=seconds / self.steps if seconds is not None and self.steps else None,
            kinds=tuple(sorted({wait.kind for wait in waits})),
            operators=tuple(sorted({wait.operator for wait in waits})),
            library=first.library,
            stack=first.stack,
        )


def _total(waits: Iterable[Wait]) -> float | None:
    known = [wait.seconds for wait in waits if wait.seconds is not None]
    return sum(known) if known else None


def _worst_first(line: Line) -> tuple[float, int, str, int]:
    return (-(line.seconds or 0.0), -line.count, line.filename, line.row)


@functools.cache
def _library_directories() -> tuple[str, ...]:
    """Return the directories of Python's own and installed modules, and of the observer itself."""
    known = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib", "scripts")]
    real = [os.path.realpath(path) for path in known if path]
    return (HERE + os.sep, *(path + os.sep for path in {*known, *real} if path))


@functools.cache
def is_library(filename: str) -> bool:
    """Whether a code object's file belongs to Python, to an installed library or to the observer."""
    if filename.startswith("<"):
        # Generated by dataclasses, torch.fx, the import system …; code that a person types has other names.
        return not filename.startswith(("<stdin>", "<ipython-input", "<console>"))
    if _is_compiled(filename):
        return True
    if f"{os.sep}site-packages{os.sep}" in filename or f"{os.sep}dist-packages{os.sep}" in filename:
        return True
    return filename.startswith((*_library_directories(), *_torch_directory(), *_targets()))


def _targets() -> tuple[str, ...]:
    """Return the other directories of the module search path into which distributions are installed."""
    return tuple(os.path.join(entry, "") for entry in sys.path if entry and _has_distributions(entry))


@functools.cache
def _has_distributions(directory: str) -> bool:
    try:
        return any(name.endswith(".dist-info") for name in os.listdir(directory))
    except OSError:
        return False


def _is_compiled(filename: str) -> bool:
    """Whether a file was written by Inductor, the compiler of torch: by default into a directory of the user's."""
    cache = os.environ.get("TORCHINDUCTOR_CACHE_DIR")
    return f"{os.sep}torchinductor_" in filename or bool(cache and filename.startswith(cache + os.sep))


def _torch_directory() -> tuple[str, ...]:
    """Return the directory of torch, if imported; it may be installed outside Python's own directories."""
    file = getattr(sys.modules.get("torch"), "__file__", None)
    return (os.path.dirname(file) + os.sep,) if file else ()


@functools.cache
def _is_torch(filename: str) -> bool:
    return f"{os.sep}torch{os.sep}" in filename and is_library(filename)


@functools.cache
def _is_under(filename: str, roots: tuple[str, ...]) -> bool:
    return any(filename == root or filename.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a wait: the user's line, the library's line within it, and the stack, outermost first."""

    filename: str
    row: int
    library: tuple[str, int] | None
    stack: tuple[Frame, ...]

    def wait(self, operator: str, kind: Kind, seconds: float | None = None) -> Wait:
        """Return a wait with this origin."""
        now, thread = time.perf_counter(), threading.get_native_id()
        return Wait(self.filename, self.row, operator, kind, seconds, self.library, self.stack, now, thread)


def origin_of(stack: Sequence[Frame], roots: Sequence[str] = ()) -> Origin:
    """Find the user's line in a stack that is outermost first.

    It is the innermost line outside Python and installed libraries or, if `roots` are given, inside one of these files
    or directories. Roots inside a library, such as a program that is installed, are the user's as well as everything
    outside of libraries. Frames of the observer are dropped. A stack without a user line is attributed to its innermost
    line.
    """
    frames = tuple(frame for frame in stack if not frame[0].startswith(HERE + os.sep))
    inside = tuple(os.path.abspath(root) for root in roots)
    is_everywhere = all(map(is_library, (os.path.join(root, "") for root in inside)))
    for index in range(len(frames) - 1, -1, -1):
        filename, row, _ = frames[index]
        if _is_under(filename, inside) or (is_everywhere and not is_library(filename)):
            return Origin(filename, row, _library_line(frames[index + 1 :]), frames)
    filename, row = frames[-1][:2] if frames else ("<unknown>", 0)
    return Origin(filename, row, _library_line(frames), frames)


def _library_line(frames: Sequence[Frame]) -> tuple[str, int] | None:
    """Return the innermost line of a library; a line of torch's own says less than that of its caller."""
    for filename, row, _ in reversed(frames):
        if not _is_torch(filename) and not filename.startswith("<"):
            return (filename, row)
    return frames[-1][:2] if frames else None


def stack_of(frame: FrameType | None) -> tuple[Frame, ...]:
    """Return the stack that ends in a live frame, outermost first."""
    found = list(_frames(frame))
    found.reverse()
    return tuple(found)


def _frames(frame: FrameType | None) -> Iterator[Frame]:
    while frame is not None:
        code: CodeType = frame.f_code
        yield (code.co_filename, frame.f_lineno or 0, code.co_name)
        frame = frame.f_back


def here(roots: Sequence[str] = (), frame: FrameType | None = None) -> Origin:
    """Return the origin for the current line, or for a frame."""
    return origin_of(stack_of(frame or sys._getframe(1)), roots)
