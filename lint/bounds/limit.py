"""A limit of processor time for what a checked file makes us do, so that a busy machine loses none."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

SECONDS: Final = 60
"""A file that takes longer is given up, and so is a place of it in linking."""


class OutOfTime(BaseException):
    """The limit is reached. No Exception, so that nothing takes it for an error of one place only."""

    def __str__(self) -> str:
        return f"took longer than {SECONDS} s of processor time"


class Limit:
    """A limit on the process's seconds; OutOfTime is raised when it is exceeded."""

    def __init__(self) -> None:
        self._spent = 0

    def begin(self) -> None:
        """Count from here on."""
        self._spent = 0

    def second(self, *_: object) -> None:
        """Note that one more second has passed."""
        self._spent += 1
        if self._spent > SECONDS:
            self._spent = 0
            raise OutOfTime


def end_after_limit(seconds: int = SECONDS + 5) -> None:
    """Have the system end this process with SIGXCPU if it goes on for longer, also in code that is not Python."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    with suppress(ValueError, OSError):  # what the process was given may be less
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + seconds, most))


@contextmanager
def limited() -> Iterator[Limit]:
    """Raise OutOfTime in what is done here if it takes too long.

    Only the main thread of a process can be interrupted, where the system has timers (not Windows), and only while it
    runs Python; elsewhere there is no limit.
    """
    limit = Limit()
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield limit
        return
    before = signal.signal(signal.SIGVTALRM, limit.second)
    signal.setitimer(signal.ITIMER_VIRTUAL, 1, 1)
    try:
        yield limit
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
