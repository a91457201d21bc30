"""Forbids waiting in a block of code: `with forbid_sync(): …`, or as a decorator.

    @forbid_sync(allow=["save_checkpoint"])
    def train_step(batch): ...

All waits of the block are collected and told together when it ends, since curing one alone moves the waiting to the
next. Hooks and debug mode belong to the process, but only waits of the same thread or asynchronous task count; a
warning names other threads that waited meanwhile.
"""

from __future__ import annotations

import functools
import inspect
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Any, Final, TypeVar, get_args, overload

from .device import watch
from .observe import Frame, Kind, Wait, Watcher

Function = TypeVar("Function", bound=Callable[..., Any])

KINDS: Final[frozenset[str]] = frozenset(get_args(Kind))
LONGEST_STACK: Final = 12

_budgets: ContextVar[tuple[object, ...]] = ContextVar("synclint_budgets", default=())
_allowed: ContextVar[bool] = ContextVar("synclint_allowed", default=False)


class SyncError(AssertionError):
    """Code waited for the device more often than allowed; `waits` are all that counted."""

    def __init__(self, message: str, waits: Sequence[Wait]) -> None:
        super().__init__(message)
        self.waits = tuple(waits)


@overload
def forbid_sync(function: Function, /) -> Function: ...
@overload
def forbid_sync(*, max_syncs: int | None = 0, device: str = "auto", allow: Sequence[str] = ()) -> Forbidden: ...
def forbid_sync(
    function: Callable[..., Any] | None = None,
    /,
    *,
    max_syncs: int | None = 0,
    device: str = "auto",
    allow: Sequence[str] = (),
) -> Any:
    """Raise SyncError if the block or the function waits for the device more than `max_syncs` times.

    `max_syncs=None` only watches. `device` is `auto`, `cuda` or `simulated`. `allow` lists what may wait: kinds (`"copy
    to host"`), functions (`"save_checkpoint"`, also `"Trainer.save_checkpoint"`), files (`"eval.py"`) or lines
    (`"train.py:12"`) that contain the wait, however deep. See `allow_sync` for single blocks.
    """
    if isinstance(allow, str):
        raise TypeError(f"`allow` must be a list of strings: allow=[{allow!r}]")
    forbidden = Forbidden(max_syncs, device, tuple(allow))
    return forbidden if function is None else forbidden(function)


@contextmanager
def allow_sync(reason: str) -> Iterator[None]:
    """Allow waits while entered, inside a block that forbids them, for the given reason."""
    if not isinstance(reason, str) or not reason.strip():
        raise ValueError('say why waiting is allowed here: `with allow_sync("the log needs the loss"):`')
    token = _allowed.set(True)
    try:
        yield
    finally:
        _allowed.reset(token)


class Forbidden(AbstractContextManager["Forbidden"]):
    """A block in which waiting is forbidden; `waits` are those that have counted so far."""

    def __init__(self, max_syncs: int | None, device: str, allow: tuple[str, ...]) -> None:
        if not all(isinstance(each, str) for each in allow):
            raise TypeError('`allow` must be a list of strings, such as ["copy to host", "save_checkpoint"]')
        self.max_syncs = max_syncs
        self.device = device
        self.allow = allow
        self.waits: list[Wait] = []
        self._thread = 0
        self._elsewhere: Counter[str] = Counter()
        self._watcher: Watcher | None = None
        self._token: Token[tuple[object, ...]] | None = None

    def __call__(self, function: Function) -> Function:
        """Decorate a function: each call has a budget of its own."""
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(f"{function.__name__} is a generator; forbid waiting where it is iterated")
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def asynchronous(*args: Any, **kwargs: Any) -> Any:
                with Forbidden(self.max_syncs, self.device, self.allow):
                    return await function(*args, **kwargs)

            return asynchronous  # type: ignore[return-value]

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            with Forbidden(self.max_syncs, self.device, self.allow):
                return function(*args, **kwargs)

        return wrapper  # type: ignore[return-value]

    def __enter__(self) -> Forbidden:
        """Start counting."""
        if self._watcher is not None:
            raise RuntimeError("this block has already been entered; call forbid_sync() for each block")
        # The GPU trace would slow down the rest of the process: see `cuda`.
        watcher = watch(self.device, trace=False)
        self.waits = watcher.waits = _Sieve(self._counts)
        watcher.__enter__()
        self._watcher = watcher
        self._thread = threading.get_ident()
        self._token = _budgets.set((*_budgets.get(), self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop counting, and raise unless the block itself has raised."""
        __tracebackhide__ = True
        watcher, token = self._watcher, self._token
        if watcher is None or token is None:
            return
        self._watcher = self._token = None
        _budgets.reset(token)
        name = watcher.device
        watcher.__exit__(kind, error, trace)
        if self._elsewhere:
            warnings.warn(f"synclint: {_of_others(self._elsewhere)}", stacklevel=2)
        if kind is None and self.max_syncs is not None and len(self.waits) > self.max_syncs:
            raise SyncError(describe(self.waits, self.max_syncs, name), self.waits)

    def _counts(self, wait: Wait) -> bool:
        """Whether a wait counts: called in the thread that waits, while it does."""
        budgets = _budgets.get()
        if self not in budgets and not budgets and threading.get_ident() != self._thread:
            self._elsewhere[threading.current_thread().name] += 1
        if self not in budgets or _allowed.get():
            return False
        return not any(_allows(entry, wait) for entry in self.allow)


class _Sieve(list[Wait]):
    """A list that keeps only what counts, depending on the thread and task that append."""

    def __init__(self, counts: Callable[[Wait], bool]) -> None:
        super().__init__()
        self._counts = counts

    def append(self, wait: Wait) -> None:
        """Add a wait if it counts."""
        if self._counts(wait):
            super().append(wait)


def _allows(entry: str, wait: Wait) -> bool:
    """Whether an entry of `allow` matches this wait."""
    if entry in KINDS:
        return wait.kind == entry
    return any(_is_in(entry, frame) for frame in wait.stack)


def _is_in(entry: str, frame: Frame) -> bool:
    """Whether an entry matches the function, the file or the line of a frame."""
    filename, row, function = frame
    path, colon, number = entry.rpartition(":")
    if colon and number.isdigit():
        return row == int(number) and _is_file(path, filename)
    if entry.endswith(".py"):
        return _is_file(entry, filename)
    return function == entry.rpartition(".")[2]


def _is_file(path: str, filename: str) -> bool:
    name, wanted = filename.replace("\\", "/"), path.replace("\\", "/").removeprefix("./")
    return name == wanted or name.endswith(f"/{wanted}")


def describe(waits: Sequence[Wait], max_syncs: int, device: str) -> str:
    """Return the report about too many waits: each place with its operator, kind, time and stack."""
    lines = [f"{_times(len(waits), 'wait')} for the device, but only {max_syncs} allowed ({device})"]
    counts = Counter((wait.place, wait.operator, wait.kind) for wait in waits)
    for (place, operator, kind), count in counts.items():
        same = [wait for wait in waits if (wait.place, wait.operator, wait.kind) == (place, operator, kind)]
        known = [wait.seconds for wait in same if wait.seconds is not None]
        time = f", {sum(known) * 1000:.3f} ms" if known else ""
        lines.append(
            f"  {_escape(place[0])}:{place[1]}: {operator} ({kind}){f', {count} times' if count > 1 else ''}{time}"
        )
        lines += (f"      {_escape(name)}:{row} in {_escape(function)}" for name, row, function in _shown(same[0]))
    return "\n".join(lines)


def _shown(wait: Wait) -> Sequence[Frame]:
    """Return the stack from the user's first own line on, without the outermost frames."""
    from .script.program import programs_part

    return programs_part(wait.stack)[-LONGEST_STACK:]


def _of_others(counts: Counter[str]) -> str:
    waits = _times(sum(counts.values()), "wait")
    return f"{waits} of other threads did not count: {', '.join(map(_escape, sorted(counts)))}"


def _times(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _escape(text: str) -> str:
    from ..lint.output.text import escape

    return escape(text)
